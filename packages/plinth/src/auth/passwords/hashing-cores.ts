import { readFileSync } from 'node:fs'
import { availableParallelism, getPriority, setPriority } from 'node:os'
import { join } from 'node:path'

/**
 * How many hashes may run at once. All cores, if hashes give way to other work. Otherwise one core
 * stays free for it.
 */
export function hashingCores(cores = availableParallelism(), quota = cpuQuota()): number {
  if (quota <= cores) return Math.max(1, Math.floor(quota) - 1)
  return canLowerPriority() ? cores : Math.max(1, cores - 1)
}

/** Only Linux has a priority for each thread. A sandbox may forbid the system call. */
export function canLowerPriority(): boolean {
  if (process.platform !== 'linux') return false
  try {
    setPriority(0, getPriority(0))
    return true
  } catch {
    return false
  }
}

/**
 * The cores that a container may use, if their number is limited. When it has used up its share, all
 * of its threads stop for a while, whatever their priority.
 */
export function cpuQuota(controlGroups = '/sys/fs/cgroup', own = '/proc/self/cgroup'): number {
  try {
    // Without the comments Next takes all files of the project for files of the server.
    const [, path = ''] =
      /^0::(.*)$/m.exec(readFileSync(/* turbopackIgnore: true */ own, 'utf8')) ?? []
    const limit = readFileSync(
      /* turbopackIgnore: true */ join(controlGroups, path, 'cpu.max'),
      'utf8',
    )
    const [quota, period] = limit.split(' ')
    return quota === 'max' ? Number.POSITIVE_INFINITY : Number(quota) / Number(period)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
