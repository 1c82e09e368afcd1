import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished, vi } from 'vitest'

// Processes are started, npm among them: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 60_000 })

type Options = Pick<SpawnOptions, 'uid' | 'gid'> & { env?: Record<string, string> }

/** A command under way: what it said so far, a wait for what it will say, and its exit code. */
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
      child.emit('said')
    })
  }
  const exitCode = once(child, 'close').then(([code]) => code as number | null)
  return {
    child,
    exitCode,
    output: () => output,
    lines: () => output.trimEnd().split('\n'),
    says: (text: string) =>
      waitUntil(
        child,
        () => output.includes(text),
        () => output,
      ),
  }
}

/** Runs `npm start` until it serves, ends it, and answers with what it said. */
export async function serveOnce(folder: string, options: Options = {}) {
  const start = run(folder, ['scripts/start.mjs'], options)
  await start.says('serving')
  start.child.kill('SIGTERM')
  return { exitCode: await start.exitCode, output: start.output() }
}

function waitUntil(child: ChildProcess, isSo: () => boolean, output: () => string) {
  return new Promise<void>((resolve, reject) => {
    const look = () => isSo() && resolve()
    child.on('said', look)
    child.once('close', () => reject(new Error(`It ended instead, having said: ${output()}`)))
    look()
  })
}

/** Without what Vitest, CI or the person at the keyboard set for themselves. */
function environment() {
  const { NODE_ENV, NODE_OPTIONS, VITEST, CI, PORT, HOST, ...rest } = process.env
  return rest as NodeJS.ProcessEnv
}
