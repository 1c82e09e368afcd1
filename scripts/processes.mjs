import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { atEnd, isEnding } from './ending.mjs'
import { root } from './paths.mjs'

const running = new Set()
process.on('exit', () => {
  for (const child of running) signalGroup(child, 'SIGKILL')
})

/**
 * Starts a process in a group of its own, so that it and whatever it starts can be ended together
 * and Ctrl-C reaches it only through us. It never outlives this process.
 */
export function startProcess(command, args, options = {}) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    ...options,
  })
  running.add(child)
  const end = atEnd(() => endGroup(child, options.endSignal ?? 'SIGTERM'))
  const exited = new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 127, error }))
    child.once('close', (code, signal) => resolve({ code: code ?? 1, signal }))
  }).then(async (outcome) => {
    running.delete(child)
    await end()
    return outcome
  })
  return { child, exited, end }
}

/** Runs a process to its end, keeps its output in `log` and hands each line to `onLine`. */
export async function runLogged(command, args, { log, onLine = () => {}, onStart, ...options }) {
  await mkdir(dirname(log), { recursive: true })
  const file = createWriteStream(log)
  await once(file, 'open')
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
  if (isEnding()) await new Promise(() => {})
  return { ...outcome, lines }
}

/** Runs a process that talks to the terminal itself. Ctrl-C reaches it directly. */
export async function runAttached(command, args, options = {}) {
  const { exited } = startProcess(command, args, { stdio: 'inherit', detached: false, ...options })
  const outcome = await exited
  if (isEnding()) await new Promise(() => {})
  return outcome
}

async function endGroup(child, signal) {
  if (!child.pid || child.exitCode !== null || child.signalCode !== null) return
  signalGroup(child, signal)
  const late = setTimeout(() => signalGroup(child, 'SIGKILL'), 10_000)
  await once(child, 'exit')
  clearTimeout(late)
  signalGroup(child, 'SIGKILL')
}

function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal)
  } catch {
    // Not the leader of a group, or all of it gone.
    child.kill(signal)
  }
}
