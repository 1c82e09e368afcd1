export function say(line = '') {
  process.stdout.write(`${line}\n`)
}

export function complain(line) {
  process.stderr.write(`${line}\n`)
}

export function seconds(milliseconds) {
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`
  const whole = Math.round(milliseconds / 1000)
  return `${Math.floor(whole / 60)} min ${whole % 60} s`
}

export async function timed(work) {
  const started = performance.now()
  const result = await work()
  return { result, duration: performance.now() - started }
}
