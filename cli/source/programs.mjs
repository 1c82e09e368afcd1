import { spawn } from 'node:child_process'
import { Stop } from './stop.mjs'

/** Runs a program to its end and answers with what it said; it is not asked anything. */
export function run(program, args, { cwd, input, env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
      shell: process.platform === 'win32' && program === 'npm',
    })
    const out = []
    const err = []
    child.stdout.on('data', (part) => out.push(part))
    child.stderr.on('data', (part) => err.push(part))
    child.once('error', reject)
    child.once('close', (code) =>
      resolve({ code, out: Buffer.concat(out), err: Buffer.concat(err).toString() }),
    )
    // A program that reads nothing may close its input before all of ours is in it.
    child.stdin.once('error', () => {})
    child.stdin.end(input)
  })
}

/** The same, for a program that has to succeed. */
export async function succeed(program, args, options) {
  const result = await run(program, args, options).catch((error) => {
    if (error.code !== 'ENOENT') throw error
    throw new Stop(`${program} was not found. It is needed for this.`)
  })
  if (result.code === 0) return result.out
  const lines = result.err.trim().split('\n').slice(-15)
  throw new Stop(`${program} ${args[0]} failed.`, lines)
}
