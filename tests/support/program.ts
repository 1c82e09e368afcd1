import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename, resolve } from 'node:path'
import { build } from 'esbuild'

/** Makes a program of `tests/support/programs` one file that plain Node runs. */
export async function compileProgram(name: string): Promise<string> {
  // Inside the project, so that packages are found from there.
  const outfile = resolve('test-results/programs', `${basename(name, '.ts')}-${process.pid}.mjs`)
  await build({
    entryPoints: [resolve('tests/support/programs', name)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.9',
    packages: 'external',
    alias: { 'server-only': resolve('tests/support/server-only.ts') },
  })
  return outfile
}

export type Running = {
  child: ChildProcess
  pid: number
  /** Everything printed so far, both streams. */
  output(): string
  /** Resolves with the first match in the output; rejects when the process ends without it. */
  waitFor(pattern: RegExp): Promise<RegExpMatchArray>
  /** Resolves when the process has ended, with its exit code, or its signal. */
  ended: Promise<number | NodeJS.Signals>
}

export function run(
  command: string,
  given: string[],
  env: Record<string, string>,
  cwd = process.cwd(),
): Running {
  const child = spawn(command, given, { cwd, env: { ...process.env, ...env } })
  let output = ''
  const listeners = new Set<() => void>()
  const gather = (chunk: Buffer) => {
    output += chunk
    for (const listener of listeners) listener()
  }
  child.stdout.on('data', gather)
  child.stderr.on('data', gather)
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal)

  function waitFor(pattern: RegExp): Promise<RegExpMatchArray> {
    return new Promise((found, failed) => {
      const look = () => {
        const match = output.match(pattern)
        if (!match) return
        listeners.delete(look)
        found(match)
      }
      listeners.add(look)
      look()
      ended.then((code) => failed(new Error(`ended with ${code} before ${pattern}:\n${output}`)))
    })
  }

  return { child, pid: child.pid ?? 0, output: () => output, waitFor, ended }
}
