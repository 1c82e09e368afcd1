import { readFileSync } from 'node:fs'
import { Skip } from '../verdict.mjs'

const batches = 3
const requests = 10

/**
 * The CPU time that the server takes for a request, of all its threads: of the cheapest of a few
 * batches, because the server compiles its code in the first and may do other work in any.
 */
export async function cpuOf(pid, send) {
  let milliseconds = Number.POSITIVE_INFINITY
  let status
  for (let batch = 0; batch < batches; batch += 1) {
    const before = cpuTime(pid)
    for (let request = 0; request < requests; request += 1) status = await send()
    milliseconds = Math.min(milliseconds, (cpuTime(pid) - before) / requests)
  }
  return { status, milliseconds }
}

/** In milliseconds. Linux counts in hundredths of a second. */
function cpuTime(pid) {
  if (process.platform !== 'linux') throw new Skip('the CPU time of a process is known on Linux')
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return 10 * (Number(user) + Number(system))
}
