import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nightly } from 'plinth/testing'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exists, git, read, run, snapshot } from '../support/run'
import { packedTemplate, temporaryFolder, unpack } from '../support/template'

const modules = ['account', 'admin', 'content', 'landing', 'security']
const accept = ['--accept-removed-protection', 'security']
let program: string
let app: string

beforeAll(() => {
  const tarball = packedTemplate()
  program = tarball
  const folder = temporaryFolder()
  const creator = join(unpack(tarball), 'bin/create-plinth.mjs')
  expect(run(process.execPath, [creator, 'app', '--yes', '--modules', 'none'], folder).code).toBe(0)
  app = join(folder, 'app')
})

/** As users run it: npm finds the command of the app, which finds the tarball. */
const plinth = (...args: string[]) =>
  run(process.execPath, [join(app, 'scripts/start.mjs'), ...args], app, {
    PLINTH_SOURCE: program,
  })

beforeEach(() => {
  git(app, 'checkout', '--quiet', '.')
  git(app, 'clean', '--quiet', '-fd')
})

test('npx plinth runs the command of the app', () => {
  const { code, out } = run('npx', ['plinth', 'list'], app, { PLINTH_SOURCE: program })
  expect(code).toBe(0)
  for (const id of modules) expect(out).toMatch(new RegExp(`^${id} +not installed`, 'm'))
})

test.each(nightly ? modules : ['content'])(
  '%s: adding and removing it restores every byte',
  (id) => {
    const before = snapshot(app)
    const added = plinth('add', id, '--json')
    expect(added).toMatchObject({ code: 0, json: { added: [{ id }] } })
    expect(exists(app, `src/app/(${id})/module.ts`)).toBe(true)
    expect(read(app, 'src/modules.ts')).toContain(`@/app/(${id})/module`)
    expect(JSON.parse(read(app, 'plinth.json')).modules).toEqual([id])
    expect(plinth('diff', '--json').json).toMatchObject({ changed: [] })
    expect(plinth('remove', id, ...(id === 'security' ? accept : [])).code).toBe(0)
    expect(snapshot(app)).toEqual(before)
  },
)

test('adding all modules in any order gives the same app as creating it with them', () => {
  expect(plinth('add', 'landing').code).toBe(0)
  expect(plinth('add', 'content', 'account').code).toBe(0)
  expect(plinth('add', 'admin', 'security').code).toBe(0)
  const folder = temporaryFolder()
  const creator = join(unpack(program), 'bin/create-plinth.mjs')
  run(process.execPath, [creator, 'app', '--yes', '--no-git'], folder)
  const created = snapshot(join(folder, 'app'))
  const extended = snapshot(app)
  // The README belongs to the app, and the records contain different paths.
  for (const tree of [created, extended]) {
    delete tree['README.md']
    delete tree['plinth.json']
    delete tree['.plinth/template.json']
  }
  expect(extended).toEqual(created)
})

test('adds and removes the dependencies of a module, unless other code uses them', () => {
  const dependencies = () => JSON.parse(read(app, 'package.json')).dependencies
  plinth('add', 'content')
  expect(dependencies()['markdown-it']).toMatch(/^\d/)
  writeFileSync(join(app, 'src/mine.ts'), "import MarkdownIt from 'markdown-it'\n")
  expect(plinth('remove', 'content').code).toBe(0)
  expect(dependencies()['markdown-it']).toMatch(/^\d/)
})

test('refuses to remove edited files, and with --force saves the edits as a patch', () => {
  plinth('add', 'content')
  const before = snapshot(app)
  const edited = 'src/app/(content)/policy.ts'
  const text = `${read(app, edited)}// mine\n`
  writeFileSync(join(app, edited), text)
  writeFileSync(join(app, 'src/app/(content)/mine.ts'), 'export const mine = 1\n')
  const mine = snapshot(app)

  const refused = plinth('remove', 'content')
  expect(refused.code).toBe(1)
  expect(refused.err).toContain(`${edited} (changed)`)
  expect(refused.err).toContain('src/app/(content)/mine.ts (added)')
  expect(snapshot(app)).toEqual(mine)

  const forced = plinth('remove', 'content', '--force')
  expect(forced).toMatchObject({
    code: 0,
    out: expect.stringContaining('npx plinth add content, then git apply removed-content.patch'),
  })
  expect(exists(app, 'src/app/(content)')).toBe(false)
  plinth('add', 'content')
  git(app, 'apply', 'removed-content.patch')
  rmSync(join(app, 'removed-content.patch'))
  expect(snapshot(app)).toEqual(mine)
  expect(mine).not.toEqual(before)
})

test('keeps tables and prints how to drop them', () => {
  plinth('add', 'content')
  const { out } = plinth('remove', 'content')
  expect(out).toContain('The tables and their data were kept.')
  expect(out).toContain('drop table articles;')
  expect(plinth('list', '--json').json).toMatchObject({ version: expect.any(String) })
})

describe('a module that protects users', () => {
  const command = 'npx plinth remove landing security --accept-removed-protection security'

  test.each([
    { flags: [] },
    { flags: ['--force'] },
    { flags: ['--accept-removed-protection', 'landing'] },
    { flags: ['--accept-removed-protection', 'Security'] },
  ])('is not removed with $flags', ({ flags }) => {
    plinth('add', 'landing', 'security')
    const before = snapshot(app)
    const { code, err } = plinth('remove', 'landing', 'security', ...flags)
    expect(code).toBe(1)
    expect(err).toMatch(
      /^Nothing was removed: module security protects users with second factors\./,
    )
    expect(err).toContain('cannot see your databases')
    expect(err).toContain(
      flags[0] === '--force' ? command.replace(' --acc', ' --force --acc') : command,
    )
    expect(snapshot(app)).toEqual(before)
  })

  test('is removed if its name is given, with what follows from it', () => {
    const before = snapshot(app)
    plinth('add', 'landing', 'security')
    const { code, out } = plinth('remove', 'landing', 'security', ...accept)
    expect(code).toBe(0)
    expect(out).toContain('starts only with ACCEPT_REMOVED_PROTECTION=security')
    expect(out.indexOf('drop function')).toBeLessThan(out.indexOf('drop view'))
    expect(out.indexOf('drop view')).toBeLessThan(out.indexOf('drop table'))
    expect(snapshot(app)).toEqual(before)
  })

  test('is named in a refusal as JSON, in the list and in the help', () => {
    plinth('add', 'security')
    expect(plinth('remove', 'security', '--json').json).toMatchObject({ protecting: ['security'] })
    expect(plinth('list', '--json').json).toMatchObject({
      modules: expect.arrayContaining([
        expect.objectContaining({ id: 'security', protects: 'second factors', installed: true }),
      ]),
    })
    expect(plinth('remove', '--help').out).toContain('--accept-removed-protection')
  })
})

test('diff shows exactly the edits', () => {
  plinth('add', 'content')
  writeFileSync(join(app, 'src/app/(content)/policy.ts'), '// mine\n')
  const { json } = plinth('diff', 'content', '--json')
  expect(json).toMatchObject({ changed: ['src/app/(content)/policy.ts'] })
  expect(plinth('diff').out).toContain('+// mine')
  expect(plinth('list').out).toMatch(/^content +1 edited/m)
})

test('handles output that is closed early', () => {
  const command = `'${process.execPath}' '${join(app, 'scripts/start.mjs')}' help`
  const { err } = run('sh', ['-c', `for _ in 1 2 3; do ${command} | true; done`], app, {
    PLINTH_SOURCE: program,
  })
  expect(err).not.toContain('EPIPE')
})

test.each([
  [['add', 'contnt'], /^Unknown module: contnt\. Did you mean content\?\n/],
  [['add', 'contnet'], /^Unknown module: contnet\. Did you mean content\?\n.*: account, admin, /],
  [['add', 'shop'], /^Unknown module: shop\.\n.*\n.* npx plinth add \.\.\/shop, or .*\n$/],
  [['add'], /No module given/],
  [['remove', 'content'], /content is not installed/],
  [['diff', 'content'], /content is not installed\. Installed: none\./],
  [['lsit'], /Unknown command: lsit\. Did you mean list\?/],
])('rejects %j and changes nothing', (args, message) => {
  const { code, err } = plinth(...args)
  expect(code).toBe(1)
  expect(err).toMatch(message)
  expect(git(app, 'status', '--porcelain')).toBe('')
})

test('rejects a module that is already installed and changes nothing', () => {
  plinth('add', 'content')
  const before = snapshot(app)
  expect(plinth('add', 'content')).toMatchObject({ code: 1 })
  expect(snapshot(app)).toEqual(before)
})
