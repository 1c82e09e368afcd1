import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export type Outcome = { code: number | null; out: string; err: string; json: JsonOutput }
type JsonOutput = Record<string, never> & { error?: string }

const identity = {
  GIT_AUTHOR_NAME: 'Tests',
  GIT_AUTHOR_EMAIL: 'tests@example.com',
  GIT_COMMITTER_NAME: 'Tests',
  GIT_COMMITTER_EMAIL: 'tests@example.com',
}

/** The engine of a copy of the template is compiled with the packages of this one. */
const compiledWith = { PLINTH_PACKAGES: resolve('node_modules') }

/** Runs a program without a terminal and without the environment of Vitest. */
export function run(program: string, args: string[], cwd: string, env = {}): Outcome {
  const { NODE_ENV, NODE_OPTIONS, VITEST, CI, npm_lifecycle_event, INIT_CWD, ...rest } = process.env
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    env: { ...rest, ...identity, ...compiledWith, ...env } as unknown as NodeJS.ProcessEnv,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return {
    code: status,
    out: stdout,
    err: stderr,
    json: args.includes('--json') ? JSON.parse(stdout) : {},
  }
}

export function git(folder: string, ...args: string[]): string {
  return run('git', args, folder).out
}

/** All files of an app by path, except those created by running it. */
export function snapshot(folder: string): Record<string, string> {
  const skipped = ['.git', 'node_modules', '.next', 'dist', '.data']
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1))
    .filter((path) => !skipped.includes(path.split('/')[0] ?? ''))
  return Object.fromEntries(
    files.sort().map((path) => [path, readFileSync(join(folder, path), 'base64')]),
  )
}

export function read(folder: string, path: string): string {
  return readFileSync(join(folder, path), 'utf8')
}

export function exists(folder: string, path: string): boolean {
  return existsSync(join(folder, path))
}
