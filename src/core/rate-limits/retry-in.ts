import 'server-only'

/** "Try again in 40 seconds." Rounded up, so that it is never too early. */
export function retryIn(seconds: number): string {
  if (seconds <= 0) return 'You can try again now.'
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `Try again in ${count === 1 ? `a ${unit}` : `${count} ${unit}s`}.`
}
