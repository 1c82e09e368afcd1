import { readFileSync } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { atEnd } from '../ending.mjs'
import { cacheFolder } from '../paths.mjs'
import { say } from '../terminal.mjs'

const file = join(cacheFolder, 'set-up.lock')
const heartbeat = 2_000
const silence = 15_000
const orphanTime = 180_000

/**
 * One set-up at a time in a folder. The holder touches the lock every two seconds, which tells a
 * live one from one left by a kill, also across containers that share the folder but not the pids.
 * `work` is handed a function that notes the process doing the work, which may outlive us.
 */
export async function withSetUpLock(work) {
  await mkdir(cacheFolder, { recursive: true })
  const mine = { host: hostname(), pid: process.pid }
  await acquire(mine)
  const timer = setInterval(() => {
    const now = new Date()
    utimes(file, now, now).catch(() => {})
  }, heartbeat)
  const release = atEnd(async () => {
    clearInterval(timer)
    await rm(file, { force: true })
  })
  try {
    return await work((worker) => writeFile(file, JSON.stringify({ ...mine, worker })))
  } finally {
    await release()
  }
}

async function acquire(mine) {
  let told = false
  while (!(await create(mine))) {
    const holder = await readHolder()
    if (!holder) continue
    if (!isHeld(holder)) {
      await takeAway(holder)
      continue
    }
    if (!told) say(`Process ${holder.worker ?? holder.pid} is setting up this folder: waiting.`)
    told = true
    await pause(200)
  }
}

async function create(mine) {
  try {
    await writeFile(file, JSON.stringify(mine), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

async function readHolder() {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)])
    return { ...parse(text), text, age: Date.now() - mtimeMs }
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    // Read while it was being written, or cut short by a full disk: its age decides.
    return {}
  }
}

function isHeld({ host, pid, worker, age }) {
  if (host !== hostname()) return age < silence
  if (pid === process.pid) return false
  // An npm whose starter was killed still writes. Its id may be another's by now: not for ever.
  if (worker !== undefined && isAlive(worker)) return age < orphanTime
  return isAlive(pid) && age < silence
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Ended, but in a container perhaps nobody ever asks for its exit code. Known on Linux only. */
function isZombie(pid) {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Moved before it is deleted: of two that found it stale, one must not delete the other's. */
async function takeAway(holder) {
  const aside = `${file}.${process.pid}`
  try {
    await rename(file, aside)
  } catch (error) {
    if (error.code === 'ENOENT') return
    throw error
  }
  const taken = await readFile(aside, 'utf8')
  if (taken === holder.text) await rm(aside, { force: true })
  else await rename(aside, file)
}
