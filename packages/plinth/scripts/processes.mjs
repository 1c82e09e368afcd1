import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from './paths.mjs'

const running = new Set()
process.on('exit', () => {
  for (const child of running) signalGroup(child, 'SIGKILL')
})

/**
 * Starts a process in its own process group, so that it can be stopped together with its children
 * and Ctrl-C does not reach it directly. It is killed when this process exits.
 */
export function startProcess(command, args, options = {}) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    ...options,
  })
  running.add(child)
  const stop = onShutdown(() => stopGroup(child, options.stopSignal ?? 'SIGTERM'))
  const exited = new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 127, error }))
    child.once('close', (code, signal) => resolve({ code: code ?? 1, signal }))
  }).then(async (outcome) => {
    running.delete(child)
    await stop()
    return outcome
  })
  return { child, exited, stop }
}

/** Runs a process until it exits, writes its output to `log` and passes each line to `onLine`. */
export async function runLogged(command, args, { log, onLine = () => {}, onStart, ...options }) {
  await mkdir(dirname(log), { recursive: true })
  const file = createWriteStream(log)
  await once(file, 'open')
  await unlessShuttingDown()
  const lines = []
  const { child, exited } = startProcess(command, args, options)
  if (child.pid) await onStart?.(child.pid)
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      file.write(`${line}\n`)
      onLine(line)
    })
  }
  const outcome = await exited
  file.end()
  await unlessShuttingDown()
  return { ...outcome, lines }
}

/** Runs a process that uses the terminal itself. Ctrl-C reaches it directly. */
export async function runAttached(command, args, options = {}) {
  const { exited } = startProcess(command, args, { stdio: 'inherit', detached: false, ...options })
  const outcome = await exited
  await unlessShuttingDown()
  return outcome
}

async function stopGroup(child, signal) {
  if (!child.pid || child.exitCode !== null || child.signalCode !== null) return
  signalGroup(child, signal)
  const killTimer = setTimeout(() => signalGroup(child, 'SIGKILL'), 10_000)
  await once(child, 'exit')
  clearTimeout(killTimer)
  signalGroup(child, 'SIGKILL')
}

function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal)
  } catch {
    // Not a group leader, or the whole group has exited.
    child.kill(signal)
  }
}

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }
const tasks = new Set()
let shuttingDown = false

/**
 * Registers a task (stop a process, remove a lock or a folder) to run on a signal. Returns a function
 * that runs the task now and unregisters it. While no task is registered no signal handler is
 * installed, because the server that `npm start` becomes handles signals itself.
 */
export function onShutdown(task) {
  if (tasks.size === 0) addSignalHandlers()
  tasks.add(task)
  return async () => {
    if (!tasks.delete(task)) return
    try {
      await task()
    } finally {
      if (tasks.size === 0 && !shuttingDown) removeSignalHandlers()
    }
  }
}

export async function shutDown() {
  for (const task of [...tasks].reverse()) {
    tasks.delete(task)
    await task().catch(() => {})
  }
  if (!shuttingDown) removeSignalHandlers()
}

/** True after a signal: later failures are caused by the shutdown. */
export function isShuttingDown() {
  return shuttingDown
}

/** After a signal nothing goes on: the process is about to exit. */
async function unlessShuttingDown() {
  if (shuttingDown) await new Promise(() => {})
}

function addSignalHandlers() {
  for (const signal of Object.keys(exitCodes)) process.on(signal, shutDownAndExit)
}

function removeSignalHandlers() {
  for (const signal of Object.keys(exitCodes)) process.off(signal, shutDownAndExit)
}

async function shutDownAndExit(signal) {
  if (shuttingDown) return
  shuttingDown = true
  if (process.stdout.isTTY) process.stdout.write('\n')
  await shutDown()
  process.exit(exitCodes[signal])
}
