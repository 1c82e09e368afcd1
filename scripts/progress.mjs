import { say, seconds } from './terminal.mjs'

/**
 * Shows that something is under way: in a terminal one live line, elsewhere (a log, CI) a line at
 * the start, one every ten seconds and one at the end.
 */
export function showProgress(title, output = process.stdout) {
  const started = performance.now()
  const elapsed = () => performance.now() - started
  const show = output.isTTY ? liveLine(output, title, elapsed) : plainLines(title, elapsed)
  return {
    activity: show.activity,
    done(outcome = 'done') {
      show.end()
      say(`${title}: ${outcome} in ${seconds(elapsed())}`)
    },
    /** Ends it without a word: what went wrong has a line of its own. */
    stop: show.end,
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
    end() {
      clearInterval(timer)
      output.write('\r\x1b[K')
    },
  }
}

function plainLines(title, elapsed) {
  let last = ''
  say(`${title} …`)
  const timer = setInterval(() => {
    say(`${title} … ${seconds(elapsed())}${last && `  ${last}`}`)
  }, 10_000)
  timer.unref()
  return {
    activity(text) {
      last = text
    },
    end() {
      clearInterval(timer)
    },
  }
}
