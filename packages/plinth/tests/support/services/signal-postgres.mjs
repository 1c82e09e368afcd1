import { execFileSync } from 'node:child_process'

/**
 * Sends a signal to a PostgreSQL server and all its children, each in a process group of its own.
 *
 * @param {number} pid
 * @param {'SIGSTOP' | 'SIGCONT' | 'SIGKILL'} signal
 */
export function signalPostgres(pid, signal) {
  // The parent first, so that it starts no other child meanwhile.
  send(pid, signal === 'SIGKILL' ? 'SIGSTOP' : signal)
  for (const child of childrenOf(pid)) send(child, signal)
  if (signal === 'SIGKILL') send(pid, signal)
}

/** @public For the cluster test, which created apps do not have. */
export function childrenOf(pid) {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  return table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child, parent]) => (parent === pid ? [child] : []))
}

function send(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch {
    // It has exited in the meantime.
  }
}
