import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { isRemoteUrl, remoteUrlOf } from '../../../cli/source/origin/remote-url.mjs'
import { serveRepositories } from '../support/git-server'
import { exists, git, read, run, snapshot } from '../support/run'
import { copyTemplate, packedTemplate, release, temporaryFolder } from '../support/template'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

let folder: string
let template: string

beforeAll(() => {
  folder = temporaryFolder()
  template = copyTemplate(join(folder, 'template'))
  git(template, 'init', '--quiet', '--initial-branch=main')
  commit(template, 'One')
})

function commit(repository: string, message: string): string {
  git(repository, 'add', '--all')
  git(repository, 'commit', '--quiet', '-m', message)
  return git(repository, 'rev-parse', 'HEAD').trim()
}

/** The registry is never asked. */
const withoutRegistry = { npm_config_registry: 'http://127.0.0.1:9/' }

function create(repository: string, path: string, env = {}) {
  const program = join(repository, 'cli/bin/create-plinth.mjs')
  return run(process.execPath, [program, path, '--yes', '--modules', 'none'], folder, env)
}

const plinth = (app: string, args: string[], env = {}) =>
  run(process.execPath, [join(app, 'scripts/start.mjs'), ...args], app, {
    ...withoutRegistry,
    ...env,
  })
const recordOf = (app: string) => JSON.parse(read(app, 'plinth.json'))

test('a clone of the app gets the template from the recorded URL', async () => {
  git(folder, 'clone', '--quiet', '--bare', template, 'plinth.git')
  const { url, env } = await serveRepositories(folder)
  run('git', ['clone', '--quiet', url, 'working-copy'], folder, env)
  const first = git(template, 'rev-parse', 'HEAD').trim()
  const created = create(join(folder, 'working-copy'), 'with-url', env)
  expect(created).toMatchObject({ code: 0, out: expect.stringContaining(`of ${url}\n`) })
  expect(created.out).not.toContain('--base')
  expect(recordOf(join(folder, 'with-url')).from).toEqual({ repository: url, commit: first })

  const app = join(folder, 'teammate')
  git(folder, 'clone', '--quiet', 'with-url', 'teammate')
  rmSync(join(folder, 'working-copy'), { recursive: true })
  expect(plinth(app, ['diff', '--json'], env)).toMatchObject({ code: 0, json: { changed: [] } })
  expect(git(app, 'status', '--porcelain')).toBe('')

  release(template, '9.0.0', { 'src/new-in-nine.ts': 'export const nine = 9\n' })
  const second = commit(template, 'Nine')
  git(template, 'tag', 'v9.0.0')
  git(template, 'push', '--quiet', '--tags', join(folder, 'plinth.git'), 'main')
  expect(plinth(app, ['upgrade', '--to', '9.0.0'], env)).toMatchObject({ code: 0 })
  expect(exists(app, 'src/new-in-nine.ts')).toBe(true)
  expect(recordOf(app)).toMatchObject({
    version: '9.0.0',
    from: { repository: url, commit: second },
  })
  expect(plinth(app, ['upgrade', '--undo'], env).code).toBe(0)
  expect(git(app, 'status', '--porcelain')).toBe('')
  expect(plinth(app, ['upgrade'], env)).toMatchObject({ code: 0 })
  expect(recordOf(app).from.commit).toBe(second)
  git(template, 'reset', '--quiet', '--hard', first)
})

test('an app from a folder works on this machine; elsewhere --base is needed once', () => {
  git(template, 'remote', 'add', 'origin', `file://${template}`)
  const { code, out } = create(template, 'local')
  git(template, 'remote', 'remove', 'origin')
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('--base ../plinth') })
  const head = git(template, 'rev-parse', 'HEAD').trim()
  expect(recordOf(join(folder, 'local')).from).toEqual({ commit: head })
  expect(read(folder, 'local/plinth.json')).not.toContain('template')
  expect(plinth(join(folder, 'local'), ['list']).code).toBe(0)

  const app = join(folder, 'elsewhere/clone')
  mkdirSync(join(folder, 'elsewhere'))
  git(folder, 'clone', '--quiet', 'local', app)
  expect(plinth(app, ['list'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/local copy of Plinth 0\.1\.0 \(commit \w{10}\).* with --base\.\n$/),
  })
  writeFileSync(join(template, 'later.txt'), 'later')
  commit(template, 'Later')
  expect(plinth(app, ['diff', '--base', template, '--json']).json).toMatchObject({ changed: [] })
  expect(plinth(app, ['list']).code).toBe(0)
  expect(git(app, 'status', '--porcelain')).toBe('')

  const other = temporaryFolder()
  git(other, 'init', '--quiet')
  writeFileSync(join(other, 'file.txt'), 'other')
  commit(other, 'Other')
  const before = snapshot(app)
  expect(plinth(app, ['add', 'landing', '--base', other]).code).toBe(1)
  expect(snapshot(app)).toEqual(before)
})

test('the path in the record of an earlier version still works', () => {
  expect(create(template, 'earlier').code).toBe(0)
  const app = join(folder, 'earlier')
  rmSync(join(app, '.plinth'), { recursive: true })
  const tarball = join(folder, 'earlier.tgz')
  run('cp', [packedTemplate(), tarball], folder)
  const { from, ...record } = recordOf(app)
  for (const earlier of [
    { repository: '../template', commit: from.commit },
    { tarball: '../earlier.tgz' },
  ]) {
    writeFileSync(join(app, 'plinth.json'), JSON.stringify({ ...record, from: earlier }))
    expect(plinth(app, ['list'])).toMatchObject({ code: 0 })
  }
  renameSync(tarball, `${tarball}.moved.tgz`)
  expect(plinth(app, ['list'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^Not found: .*earlier\.tgz.* with --base\.\n$/),
  })
  expect(plinth(app, ['list', `--base=${tarball}.moved.tgz`]).code).toBe(0)
})

test('records only URLs that others can use, without passwords', async () => {
  const accepted = ['https://h/p.git', 'ssh://git@h/p.git', 'git@github.com:acme/p.git']
  const rejected = ['../p', '/p', 'file:///p', 'C:\\p', 'ext::sh -c x', 'https://-x', 'git://h/p']
  expect(accepted.filter(isRemoteUrl)).toEqual(accepted)
  expect(rejected.filter(isRemoteUrl)).toEqual([])
  const repository = temporaryFolder()
  git(repository, 'init', '--quiet')
  expect(await remoteUrlOf(repository)).toBeUndefined()
  git(repository, 'remote', 'add', 'origin', 'https://token:x-oauth@git.example.com/p.git')
  expect(await remoteUrlOf(repository)).toBe('https://git.example.com/p.git')
})
