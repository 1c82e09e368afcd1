import cluster from 'node:cluster'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { writeHeapSnapshot } from 'node:v8'
import { type Env, makePrivate } from '#config/env'
import { makeFolder } from '#config/folders'
import { logLevels } from '#config/settings'
import { announce, log } from '#log/log'

type Settings = Pick<Env, 'DATA_DIR' | 'LOG_LEVEL'>

/**
 * On SIGUSR2 the process does what the file `diagnose` in DATA_DIR says, and deletes the file. Only the
 * user of the process and root can send the signal: none of this can be requested over HTTP. SIGUSR1
 * belongs to Node, which opens a port for a debugger.
 */
export function onDiagnose(settings: Settings): void {
  process.on('SIGUSR2', () => {
    diagnose(settings).catch((error) => log().error({ err: error }, 'SIGUSR2: failed'))
  })
  process.on('message', ({ plinthLogLevel }: LevelMessage) => {
    if (plinthLogLevel) setLogLevel(plinthLogLevel)
  })
}

type LevelMessage = { plinthLogLevel?: string }

async function diagnose({ DATA_DIR, LOG_LEVEL }: Settings): Promise<void> {
  const file = join(DATA_DIR, 'diagnose')
  const [what, argument, ...rest] = readWords(file)
  if (rest.length === 0 && what === 'log-level' && isLevel(argument ?? LOG_LEVEL)) {
    rmSync(file)
    return setLogLevel(argument ?? LOG_LEVEL)
  }
  if (isPrimary() && (what === 'heap-snapshot' || what === 'cpu-profile')) {
    return announce(`SIGUSR2: send it to one of the processes that serve: ${workerIds()}`)
  }
  if (what === 'heap-snapshot' && argument === undefined) {
    rmSync(file)
    return takeHeapSnapshot(DATA_DIR)
  }
  const seconds = Number(argument ?? 30)
  if (rest.length === 0 && what === 'cpu-profile' && seconds >= 1 && seconds <= maxSeconds) {
    rmSync(file)
    return profileCpu(DATA_DIR, seconds)
  }
  announce(
    `SIGUSR2: write to ${file} what to do: log-level [${logLevels.join('|')}], heap-snapshot, or cpu-profile [seconds, up to ${maxSeconds}]`,
  )
}

const maxSeconds = 600

function readWords(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trim().split(/\s+/)
  } catch {
    return []
  }
}

function isLevel(text: string): boolean {
  return logLevels.some((level) => level === text)
}

/** Also of the processes that this one has started, and will start. */
function setLogLevel(level: string): void {
  process.env.LOG_LEVEL = level
  log().level = level
  announce(`log level: ${level}`)
  for (const worker of Object.values(cluster.workers ?? {})) {
    worker?.send({ plinthLogLevel: level }, () => {})
  }
}

function isPrimary(): boolean {
  return Object.keys(cluster.workers ?? {}).length > 0
}

function workerIds(): string {
  const workers = Object.values(cluster.workers ?? {})
  return workers.map((worker) => worker?.process.pid).join(', ')
}

/** It has all secrets that the process knows. */
function takeHeapSnapshot(dataDir: string): void {
  const file = newFile(dataDir, 'heapsnapshot')
  announce('writing a heap snapshot; the process responds again when it is written')
  writeHeapSnapshot(file)
  announce(`wrote ${file}`)
}

const running = { profile: false }

async function profileCpu(dataDir: string, seconds: number): Promise<void> {
  if (running.profile) return announce('SIGUSR2: a CPU profile is being taken already')
  running.profile = true
  // In this process: no port is opened.
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.start')
    announce(`taking a CPU profile for ${seconds} s`)
    await pause(seconds * 1000)
    const { profile } = await session.post('Profiler.stop')
    const file = newFile(dataDir, 'cpuprofile')
    writeFileSync(file, JSON.stringify(profile))
    announce(`wrote ${file}`)
  } finally {
    session.disconnect()
    running.profile = false
  }
}

/** Created for its owner only; what is written later keeps that. */
function newFile(dataDir: string, extension: string): string {
  const folder = join(dataDir, 'diagnostics')
  makeFolder(folder)
  makePrivate(folder)
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const file = join(folder, `${time}-${process.pid}.${extension}`)
  writeFileSync(file, '', { flag: 'wx', mode: 0o600 })
  return file
}
