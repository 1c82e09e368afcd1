import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runDoctor as run } from '../../support/doctor'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plinth-doctor-'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(resolve('node_modules/next'), join(folder, 'node_modules/next'))
})
afterEach(() => rmSync(folder, { recursive: true }))

// The folder has no database, so none is opened.
const runDoctor = (settings: Record<string, string> = {}) =>
  run({ folder, settings: { DATA_DIR: '.data', DATABASE_URL: '', ...settings } })

function write(name: string, mode: number, text = 'SIGN_UP=closed\n') {
  writeFileSync(join(folder, name), text)
  chmodSync(join(folder, name), mode)
}

test('accepts files that only their owner can read', async () => {
  write('.env', 0o600)
  const { issues } = await runDoctor()
  expect(issues('files')).toEqual([])
})

test('reports settings and data that all users can read', async () => {
  write('.env', 0o644, 'SMTP_URL=smtp://user:hunter2@mail.example.com\n')
  mkdirSync(join(folder, 'data'))
  chmodSync(join(folder, 'data'), 0o755)
  write('data/auth-secret', 0o644, 'hunter2')
  // Locked, so that the doctor does not open it.
  const holder = { pid: process.pid, host: hostname(), startedAt: null }
  write('data/lock.json', 0o600, JSON.stringify(holder))
  mkdirSync(join(folder, 'data/database'))
  chmodSync(join(folder, 'data/database'), 0o750)
  mkdirSync(join(folder, 'data/outbox'), { mode: 0o700 })
  const { issues, text } = await runDoctor({ DATA_DIR: 'data' })
  expect(issues('files')).toEqual([
    'warning: .env is readable by all users of this machine.',
    'warning: data is readable by all users of this machine.',
    'warning: data/auth-secret is accessible to other users of this machine.',
    'warning: data/database is accessible to other users of this machine.',
  ])
  expect(text).toContain('chmod -R go= data/database')
  expect(issues('settings')).toEqual([
    'error: MAIL_FROM is required with SMTP_URL, or mail.from in src/plinth.config.ts.',
  ])
  expect(text).not.toContain('hunter2')
})

test('reports committed settings', async () => {
  write('.env', 0o600)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder })
  git('init', '--quiet')
  expect((await runDoctor()).issues('files')).toEqual([])
  git('add', '--force', '.env')
  const { code, issues } = await runDoctor()
  expect(issues('files')).toEqual(['error: .env is committed to git, with its secrets.'])
  expect(code).toBe(1)
})

test('reports a Next version with known vulnerabilities', async () => {
  expect((await runDoctor()).text).not.toContain('has known vulnerabilities')
  rmSync(join(folder, 'node_modules/next'))
  mkdirSync(join(folder, 'node_modules/next'))
  write('node_modules/next/package.json', 0o644, '{ "version": "16.4.5" }')
  const local = await runDoctor()
  expect(local.issues('versions')).toContain('warning: Next 16.4.5 has known vulnerabilities.')
  const exposed = await runDoctor({ HOST: '0.0.0.0' })
  expect(exposed.issues('versions')).toContain('error: Next 16.4.5 has known vulnerabilities.')
})
