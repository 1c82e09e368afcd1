/** Prints text for users or, with `--json`, a single JSON value for scripts. */
export function createOutput({ json }) {
  // The reader may close the pipe early: `plinth diff | head`.
  process.stdout.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error
  })
  const print = (text = '') => {
    if (!json) process.stdout.write(`${text}\n`)
  }
  return {
    json,
    print,
    /** Shows a live line in a terminal, otherwise one plain line. */
    async withProgress(title, work) {
      if (json || !process.stdout.isTTY) {
        print(`${title} …`)
        return work()
      }
      const started = Date.now()
      const draw = () => {
        const seconds = Math.floor((Date.now() - started) / 1000)
        process.stdout.write(`\r\u001b[K${title} …${seconds > 1 ? ` ${seconds} s` : ''}`)
      }
      draw()
      const timer = setInterval(draw, 1000)
      try {
        const result = await work()
        process.stdout.write(`\r\u001b[K${title}: done\n`)
        return result
      } catch (error) {
        process.stdout.write('\n')
        throw error
      } finally {
        clearInterval(timer)
      }
    },
    finish(result) {
      if (!json || result === undefined) return
      const { exitCode, ...facts } = result
      process.stdout.write(`${JSON.stringify(facts, null, 2)}\n`)
    },
    fail({ message, details, facts }) {
      if (json) process.stdout.write(`${JSON.stringify({ error: message, ...facts }, null, 2)}\n`)
      else for (const line of [...details, message]) process.stderr.write(`${line}\n`)
    },
  }
}
