import { readFileSync } from 'node:fs'

/** A pid is reused after its process exits. The start time, on Linux, tells the two apart. */
export function identifyProcess(pid) {
  return { pid, startTime: readStat(pid)?.startTime }
}

export function isRunning({ pid, startTime }) {
  const stat = readStat(pid)
  // In a container a process that has exited can stay as a zombie for good.
  if (stat) return stat.state !== 'Z' && (startTime ?? stat.startTime) === stat.startTime
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Linux only: `pid (name) state …`, where the name may contain spaces and parentheses. */
function readStat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0], startTime: fields[19] }
  } catch {
    return undefined
  }
}
