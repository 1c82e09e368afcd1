export function print(line = '') {
  process.stdout.write(`${line}\n`)
}

export function printError(line) {
  process.stderr.write(`${line}\n`)
}

export function formatDuration(milliseconds) {
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`
  const seconds = Math.round(milliseconds / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

export async function timed(work) {
  const started = performance.now()
  const result = await work()
  return { result, duration: performance.now() - started }
}

/** A program may parse the standard output, so it must contain nothing else. */
export async function withStdoutToStderr(work) {
  const { write } = process.stdout
  process.stdout.write = process.stderr.write.bind(process.stderr)
  try {
    await work()
  } finally {
    process.stdout.write = write
  }
}
