import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cacheFolder } from '../paths.mjs'
import { onShutdown } from '../processes.mjs'
import { print } from '../terminal.mjs'

const file = join(cacheFolder, 'setup.lock')
const draft = `${file}.${process.pid}`
const otherHostMaxAgeMs = 30 * 60_000
const partialMaxAgeMs = 10_000

/**
 * Allows one setup at a time in a folder. `work` receives a function that adds a child process to
 * the lock: an npm whose parent was killed still writes to the folder.
 */
export async function withSetupLock(work) {
  await mkdir(cacheFolder, { recursive: true })
  const self = identifyProcess(process.pid)
  let printed = false
  while (!create(self)) {
    const message = waitMessage()
    if (!message) continue
    if (!printed) print(message)
    printed = true
    await sleep(200)
  }
  const release = onShutdown(() => rm(file, { force: true }))
  try {
    return await work((pid) => {
      writeFileSync(draft, lockText(self, identifyProcess(pid)))
      renameSync(draft, file)
    })
  } finally {
    await release()
  }
}

function create(self) {
  try {
    writeFileSync(file, lockText(self), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** Undefined if nothing holds the lock any more; a stale lock is removed. */
function waitMessage() {
  try {
    const text = readFileSync(file, 'utf8')
    const ageMs = Date.now() - statSync(file).mtimeMs
    const { host, processes } = parse(text)
    if (host === hostname()) {
      const holder = processes.findLast((other) => other.pid !== process.pid && isRunning(other))
      if (holder)
        return `Process ${holder.pid} is setting up this folder. Waiting. Lock file: ${file}`
    } else if (host === undefined) {
      if (ageMs < partialMaxAgeMs) return `Another process is creating ${file}. Waiting.`
    } else if (ageMs < otherHostMaxAgeMs) {
      // A process of another host or container cannot be checked; no setup takes that long.
      return `Host ${host} is setting up this folder. Waiting. If that host is gone, delete ${file}`
    }
    removeStale(text)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  return undefined
}

/** Empty or incomplete while it is created, after a crash, or on a full disk. */
function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** Renamed first: another process may have replaced the stale lock with its own. */
function removeStale(text) {
  renameSync(file, draft)
  if (readFileSync(draft, 'utf8') === text) rmSync(draft)
  else renameSync(draft, file)
}

function lockText(...processes) {
  return JSON.stringify({ host: hostname(), processes })
}

/** A pid is reused after its process exits. The start time, on Linux, tells the two apart. */
export function identifyProcess(pid) {
  return { pid, startTime: readStat(pid)?.startTime }
}

function isRunning({ pid, startTime }) {
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
