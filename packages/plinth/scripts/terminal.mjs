import { root } from './paths.mjs'
import { isShuttingDown, shutDown } from './processes.mjs'

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

/**
 * Shows progress: one live line in a terminal; elsewhere (a log, CI) a line at the start, one every
 * ten seconds and one at the end.
 */
export function showProgress(title, output = process.stdout) {
  const started = performance.now()
  const elapsed = () => performance.now() - started
  const show = output.isTTY ? liveLine(output, title, elapsed) : plainLines(title, elapsed)
  return {
    activity: show.activity,
    done(outcome = 'done') {
      show.stop()
      print(`${title}: ${outcome} in ${formatDuration(elapsed())}`)
    },
    /** Prints nothing: the error is printed separately. */
    stop: show.stop,
  }
}

function liveLine(output, title, elapsed) {
  let last = ''
  const draw = () => {
    const line = `${title} … ${Math.floor(elapsed() / 1000)} s  ${last}`
    output.write(`\r\x1b[K${line.slice(0, (output.columns || 80) - 1)}`)
  }
  draw()
  const timer = setInterval(draw, 200)
  timer.unref()
  return {
    activity(text) {
      last = text
    },
    stop() {
      clearInterval(timer)
      output.write('\r\x1b[K')
    },
  }
}

function plainLines(title, elapsed) {
  let last = ''
  print(`${title} …`)
  const timer = setInterval(() => {
    print(`${title} … ${formatDuration(elapsed())}${last && `  ${last}`}`)
  }, 10_000)
  timer.unref()
  return {
    activity(text) {
      last = text
    },
    stop() {
      clearInterval(timer)
    },
  }
}

export function wantsHelp(args) {
  return args.includes('--help') || args.includes('-h')
}

/**
 * @param {{ usage: string, summary: string, options?: Record<string, string> }} help
 */
export function printHelp({ usage, summary, options = {} }) {
  print(`${usage}\n  ${summary}`)
  const rows = Object.entries({ ...options, '--help': 'print this help' })
  const width = Math.max(...rows.map(([name]) => name.length))
  print(`\n${rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join('\n')}`)
}

/** An expected failure. It is printed as `details`, then one line with the message; no stack trace. */
export class CommandError extends Error {
  constructor(message, details = []) {
    super(message)
    this.details = details
  }
}

export async function exitWithError(error) {
  if (isShuttingDown()) return
  for (const detail of error.details ?? []) printError(detail)
  printError(errorMessage(error))
  await shutDown()
  process.exitCode = 1
}

export function errorMessage(error) {
  if (error instanceof CommandError) return error.message
  return (
    errorCodeMessage(error.code, error.path) ??
    (error instanceof Error ? error.stack : String(error))
  )
}

export function errorCodeMessage(code, path = root) {
  if (code === 'ENOSPC') return `Disk full: cannot write ${path}. Free some space and try again.`
  if (code === 'EROFS') return `Read-only file system: cannot write ${path}.`
  if (code === 'EACCES' || code === 'EPERM') return `Permission denied: cannot write ${path}.`
  return undefined
}
