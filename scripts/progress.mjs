import { formatDuration, print } from './terminal.mjs'

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
