import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { askDoctor as ask } from '../../support/doctor'

vi.setConfig({ testTimeout: 60_000 })

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plinth-doctor-'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(resolve('node_modules/next'), join(folder, 'node_modules/next'))
})
afterEach(() => rmSync(folder, { recursive: true }))

// No database is in it, and so none has to be opened.
const askDoctor = (settings: Record<string, string> = {}) =>
  ask({ folder, settings: { DATA_DIR: '.data', DATABASE_URL: '', ...settings } })

function write(name: string, mode: number, text = 'SIGN_UP=closed\n') {
  writeFileSync(join(folder, name), text)
  chmodSync(join(folder, name), mode)
}

test('what its owner alone can read is fine', async () => {
  write('.env', 0o600)
  const { wrong } = await askDoctor()
  expect(wrong('files')).toEqual([])
})

test('settings and data that everybody can read', async () => {
  write('.env', 0o644, 'SMTP_URL=smtp://user:hunter2@mail.example.com\n')
  mkdirSync(join(folder, 'data'))
  chmodSync(join(folder, 'data'), 0o755)
  write('data/auth-secret', 0o644, 'hunter2')
  const { wrong, text } = await askDoctor({ DATA_DIR: 'data' })
  expect(wrong('files')).toEqual([
    'warning: .env can be read by everybody on this machine.',
    'warning: data can be read by everybody on this machine.',
    'warning: data/auth-secret can be read by everybody on this machine.',
  ])
  expect(wrong('settings')).toEqual(['error: MAIL_FROM is required with SMTP_URL.'])
  expect(text).not.toContain('hunter2')
})

test('settings in the repository', async () => {
  write('.env', 0o600)
  const git = (...words: string[]) => execFileSync('git', words, { cwd: folder })
  git('init', '--quiet')
  expect((await askDoctor()).wrong('files')).toEqual([])
  git('add', '--force', '.env')
  const { code, wrong } = await askDoctor()
  expect(wrong('files')).toEqual(['error: .env is in the repository, and so are its secrets.'])
  expect(code).toBe(1)
})

test('a Next with known holes', async () => {
  expect((await askDoctor()).text).not.toContain('has known holes')
  rmSync(join(folder, 'node_modules/next'))
  mkdirSync(join(folder, 'node_modules/next'))
  write('node_modules/next/package.json', 0o644, '{ "version": "16.4.5" }')
  const local = await askDoctor()
  expect(local.wrong('versions')).toContain('warning: Next 16.4.5 has known holes.')
  const open = await askDoctor({ HOST: '0.0.0.0' })
  expect(open.wrong('versions')).toContain('error: Next 16.4.5 has known holes.')
})
