import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished, vi } from 'vitest'

// These tests start npm and other processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

type Options = Pick<SpawnOptions, 'uid' | 'gid'> & { env?: Record<string, string> }

/** Starts a command. `prints` waits for output; `exitCode` resolves when the command exits. */
export function run(folder: string, args: string[], options: Options = {}) {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
    env: { ...environment(), ...options.env },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      child.emit('printed')
    })
  }
  const exitCode = once(child, 'close').then(([code]) => code as number | null)
  return {
    child,
    exitCode,
    output: () => output,
    lines: () => output.trimEnd().split('\n'),
    prints: (text: string) => waitForText(child, text, () => output),
  }
}

/** Runs `npm start` until it serves, then stops it and returns its output. */
export async function serveOnce(folder: string, options: Options = {}) {
  const start = run(folder, ['scripts/start.mjs', 'start'], options)
  await start.prints('serving')
  start.child.kill('SIGTERM')
  return { exitCode: await start.exitCode, output: start.output() }
}

function waitForText(child: ChildProcess, text: string, output: () => string) {
  return new Promise<void>((resolve, reject) => {
    const check = () => output().includes(text) && resolve()
    child.on('printed', check)
    child.once('close', () => reject(new Error(`Exited without "${text}". Output: ${output()}`)))
    check()
  })
}

/** Without the settings of Vitest, CI or the developer's shell. */
function environment() {
  const { NODE_ENV, NODE_OPTIONS, VITEST, CI, PORT, HOST, ...rest } = process.env
  return rest as NodeJS.ProcessEnv
}
