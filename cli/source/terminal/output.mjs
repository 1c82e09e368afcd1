/** What a person reads, or with `--json` one value for a script and nothing else. */
export function createOutput({ json }) {
  // Whoever reads may have seen enough: `plinth diff | head`.
  process.stdout.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error
  })
  const say = (text = '') => {
    if (!json) process.stdout.write(`${text}\n`)
  }
  return {
    json,
    say,
    /** A line that is replaced when the work is done; without a terminal it is said once. */
    async during(title, work) {
      if (json || !process.stdout.isTTY) {
        say(`${title} …`)
        return work()
      }
      const started = Date.now()
      const show = () => {
        const seconds = Math.floor((Date.now() - started) / 1000)
        process.stdout.write(`\r\u001b[K${title} …${seconds > 1 ? ` ${seconds} s` : ''}`)
      }
      show()
      const timer = setInterval(show, 1000)
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
    stop({ message, details, facts }) {
      if (json) process.stdout.write(`${JSON.stringify({ error: message, ...facts }, null, 2)}\n`)
      else for (const line of [...details, message]) process.stderr.write(`${line}\n`)
    },
  }
}
