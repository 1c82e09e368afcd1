import { spawn } from 'node:child_process'
import { CommandError } from './command-error.mjs'
import { onInterrupt } from './interrupt.mjs'

/** Runs a program without interaction and returns its exit code and output. */
export function run(program, args, { cwd, input, env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
      shell: process.platform === 'win32' && program === 'npm',
    })
    const end = onInterrupt(() => child.kill('SIGKILL'))
    const out = []
    const err = []
    child.stdout.on('data', (part) => out.push(part))
    child.stderr.on('data', (part) => err.push(part))
    child.once('error', reject)
    child.once('close', (code) => {
      end()
      resolve({ code, out: Buffer.concat(out), err: Buffer.concat(err).toString() })
    })
    // A program may close its standard input before it has read everything.
    child.stdin.once('error', () => {})
    child.stdin.end(input)
  })
}

/** Like `run`, but throws if the program fails. */
export async function runOrFail(program, args, options) {
  const result = await run(program, args, options).catch((error) => {
    if (error.code !== 'ENOENT') throw error
    throw new CommandError(`${program} not found. This command requires it.`)
  })
  if (result.code === 0) return result.out
  const lines = result.err.trim().split('\n').slice(-15)
  throw new CommandError(`${program} ${args[0]} failed.`, lines)
}
