import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

export type RunningProgram = {
  child: ChildProcess
  pid: number
  /** Both streams so far. */
  output(): string
  /** Resolves with the first match in the output; rejects if the process exits without it. */
  waitFor(pattern: RegExp): Promise<RegExpMatchArray>
  /** Resolves with the exit code or the signal. */
  exited: Promise<number | NodeJS.Signals>
}

export function run(
  command: string,
  args: string[],
  env: Record<string, string>,
  cwd = process.cwd(),
): RunningProgram {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env } })
  let output = ''
  const listeners = new Set<() => void>()
  const collect = (chunk: Buffer) => {
    output += chunk
    for (const listener of listeners) listener()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const exited = once(child, 'close').then(([code, signal]) => code ?? signal)

  function waitFor(pattern: RegExp): Promise<RegExpMatchArray> {
    return new Promise((resolve, reject) => {
      const check = () => {
        const match = output.match(pattern)
        if (!match) return
        listeners.delete(check)
        resolve(match)
      }
      listeners.add(check)
      check()
      exited.then((code) => reject(new Error(`exited with ${code} before ${pattern}:\n${output}`)))
    })
  }

  return { child, pid: child.pid ?? 0, output: () => output, waitFor, exited }
}
