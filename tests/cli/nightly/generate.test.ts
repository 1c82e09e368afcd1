import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { kinds } from '../../../cli/source/generate/kinds/kinds.mjs'
import { bookmarks, cloneTemplate, createGenerateApp, foldersIn, parts } from '../support/generate'
import { exists, git, read, run, snapshot } from '../support/run'

let folder: string
let plinth: ReturnType<typeof createGenerateApp>['plinth']

beforeAll(() => {
  ;({ folder, plinth } = createGenerateApp('landing'))
})

beforeEach(() => {
  git(folder, 'checkout', '--quiet', '.')
  git(folder, 'clean', '--quiet', '-fd')
  rmSync(join(folder, '.plinth/originals'), { recursive: true, force: true })
})

const module = 'src/app/(bookmarks)'

test('every part is written, formatted and recorded, and removed without a trace', () => {
  const before = { files: snapshot(folder), folders: foldersIn(folder) }
  expect(plinth(...bookmarks, '--json')).toMatchObject({
    code: 0,
    json: { dryRun: false, changed: ['src/modules.ts', 'plinth.json'], unchanged: [] },
  })
  for (const part of parts) {
    const { code, out } = plinth('generate', ...part)
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('\nNext: ') })
  }
  expect(read(folder, `${module}/module.ts`)).toContain(
    'api: [deleteBookmarksTrash, getBookmarksCount, ...api, postBookmarksIdCopy],\n  mail: [bookmarkShared],\n  jobs: [checkLinks, archiveBookmarks],',
  )
  expect(exists(folder, `${module}/migrations/0002_add_tags.sql`)).toBe(true)
  expect(biome()).toMatchObject({ code: 0 })
  expect(plinth('remove', 'bookmarks')).toMatchObject({
    code: 0,
    out: expect.stringContaining('drop table bookmarks'),
  })
  expect({ files: snapshot(folder), folders: foldersIn(folder) }).toEqual(before)
})

test('a provider is listed, and its settings are described', () => {
  expect(plinth('generate', 'provider', 'gitlab', '--json').json).toMatchObject({
    written: [],
    changed: ['src/plinth.config.ts', '.env.example'],
    notes: [expect.any(String), 'Set AUTH_GITLAB_ID and AUTH_GITLAB_SECRET'],
  })
  expect(plinth('generate', 'provider', 'gitea', '--oauth').code).toBe(0)
  expect(read(folder, 'src/plinth.config.ts')).toContain(
    "{ id: 'gitlab', name: 'Gitlab', issuer: 'https://gitlab.com' }",
  )
  expect(read(folder, 'src/plinth.config.ts')).toContain("url: 'https://gitea.com',")
  expect(plinth('generate', 'provider', 'gitlab')).toMatchObject({
    code: 1,
    err: expect.stringContaining('src/plinth.config.ts has gitlab already.'),
  })
  expect(read(folder, '.env.example')).toMatch(
    /^# AUTH_GITLAB_ISSUER=\n\n.+\n.+\n# AUTH_GITEA_ID=$/m,
  )
  expect(runInFolder('scripts/start.mjs', 'modules', '--check')).toMatchObject({ code: 0 })
  expect(biome()).toMatchObject({ code: 0 })
})

test('a module generated in the template is removed without a trace', () => {
  const template = cloneTemplate()
  const before = { files: snapshot(template.folder), folders: foldersIn(template.folder) }
  expect(template.plinth(...bookmarks).code).toBe(0)
  expect(template.plinth('generate', 'page', 'bookmarks', '/bookmarks/archive').code).toBe(0)
  expect(read(template.folder, 'src/modules.ts')).toContain('@/app/(bookmarks)/module')
  expect(template.plinth('remove', 'bookmarks').code).toBe(0)
  expect({ files: snapshot(template.folder), folders: foldersIn(template.folder) }).toEqual(before)
})

test('in the template, commands that need an app say so, and its own modules are kept', () => {
  const template = cloneTemplate()
  for (const command of ['add', 'list', 'diff', 'upgrade']) {
    const { code, err } = template.plinth(command, 'content')
    expect({ code, err }).toEqual({
      code: 1,
      err: 'This is the template, not an app. Create one: npm run create -- ../my-app\n',
    })
  }
  expect(template.plinth('remove', 'content')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^Module content was not generated .+\n$/),
  })
  expect(exists(template.folder, 'src/app/(content)/module.ts')).toBe(true)
})

test('reports the files of a dry run and writes nothing', () => {
  const before = snapshot(folder)
  const { json, code } = plinth(...bookmarks, '--dry-run', '--json')
  expect({ code, json }).toMatchObject({
    code: 0,
    json: { dryRun: true, written: expect.arrayContaining([`${module}/actions.ts`]) },
  })
  expect(plinth('generate', 'provider', 'gitlab', '--dry-run').out).toMatch(
    /^Would change src\/plinth\.config\.ts\n(.+\n)+\nNothing was written\.\n$/,
  )
  expect(snapshot(folder)).toEqual(before)
})

test('never overwrites a file', () => {
  plinth(...bookmarks)
  plinth('generate', 'page', 'bookmarks', '/bookmarks/archive')
  const again = plinth('generate', 'page', 'bookmarks', '/bookmarks/archive')
  expect(again).toMatchObject({ code: 0, out: `Unchanged ${module}/bookmarks/archive/page.tsx\n` })
  expect(plinth(...bookmarks, '--json').json).toMatchObject({ written: [], changed: [] })

  writeFileSync(join(folder, module, 'fields.ts'), '// mine\n')
  writeFileSync(join(folder, module, 'bookmarks/archive/page.tsx'), '// mine\n')
  const before = snapshot(folder)
  expect(plinth(...bookmarks)).toMatchObject({
    code: 1,
    err: `${module}/fields.ts already exists and is different. Nothing was written.\n`,
  })
  expect(plinth('generate', 'page', 'bookmarks', '/bookmarks/archive').err).toBe(
    `${module}/bookmarks/archive/page.tsx already exists and is different. Nothing was written.\n`,
  )
  rmSync(join(folder, module, 'fields.ts'))
  expect(plinth(...bookmarks).err).toBe(`${module} already exists. Nothing was written.\n`)
  writeFileSync(join(folder, module, 'fields.ts'), '// mine\n')
  expect(snapshot(folder)).toEqual(before)
})

test('edits remain edits: diff and list show them, remove keeps them', () => {
  plinth(...bookmarks)
  const manifest = join(folder, module, 'module.ts')
  writeFileSync(manifest, `// mine\n${read(folder, `${module}/module.ts`)}`)
  expect(plinth('generate', 'route', 'bookmarks', 'get', '/bookmarks/count').code).toBe(0)
  expect(read(folder, `${module}/module.ts`)).toMatch(
    /^\/\/ mine\n[\s\S]*\[getBookmarksCount, \.\.\.api\]/,
  )
  expect(plinth('remove', 'bookmarks', '--json').json).toMatchObject({
    edited: [{ path: `${module}/module.ts`, what: 'changed' }],
  })
  const { json } = plinth('diff', 'bookmarks', '--json')
  expect(json).toMatchObject({ changed: [`${module}/module.ts`] })
  expect(addedLines(json.patch ?? '')).toHaveLength(4)
  expect(plinth('list').out).toMatch(/^bookmarks +1 edited .*\(generated in this app\)$/m)
})

test('a module that others refer to is removed with --force only, which names them', () => {
  plinth(...bookmarks)
  plinth('generate', 'module', 'tags', 'name:string')
  const migration = 'src/app/(tags)/migrations/0001_initial.sql'
  const sql = read(folder, migration)
  writeFileSync(join(folder, migration), `${sql}alter table tags add of uuid references bookmarks;`)
  const before = snapshot(folder)
  expect(plinth('remove', 'bookmarks')).toMatchObject({
    code: 1,
    err: expect.stringContaining(`tags refers to bookmarks: ${migration}\n`),
  })
  expect(snapshot(folder)).toEqual(before)
  expect(plinth('remove', 'bookmarks', '--force')).toMatchObject({
    code: 0,
    out: expect.stringContaining(`Module tags refers to bookmarks: ${migration}. It fails in`),
  })
})

test('names that are declared already are refused, and nothing is written', () => {
  plinth(...bookmarks)
  plinth('generate', 'mail', 'bookmarks', 'nightly-digest')
  const before = snapshot(folder)
  expect(plinth('generate', 'job', 'bookmarks', 'nightly-digest')).toMatchObject({
    code: 1,
    err: `nightlyDigest is declared already: ${module}/nightly-digest-mail.ts. Choose another name.\n`,
  })
  expect(plinth('generate', 'action', 'bookmarks', 'create-bookmark')).toMatchObject({
    code: 1,
    err: `createBookmark is declared already: ${module}/actions.ts. Choose another name.\n`,
  })
  expect(snapshot(folder)).toEqual(before)
})

function addedLines(patch: string): string[] {
  return patch.split('\n').filter((line) => /^\+(?!\+\+)/.test(line))
}

test('gives a page a name that no other page has', () => {
  plinth(...bookmarks)
  expect(plinth('generate', 'page', 'bookmarks', '/bookmark').code).toBe(0)
  expect(read(folder, `${module}/bookmark/page.tsx`)).toContain("name: 'view_bookmark_page'")
  expect(plinth('generate', 'page', 'landing', '/bookmarks/[name]/x')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^\/bookmarks\/\[name\]\/x must use \[id\], as another page does: /),
  })
})

test('requires Biome, which formats the files', () => {
  const [packages, elsewhere] = [join(folder, 'node_modules'), join(folder, '..', 'packages')]
  renameSync(packages, elsewhere)
  const { code, err } = plinth(...bookmarks)
  renameSync(elsewhere, packages)
  expect({ code, err }).toEqual({
    code: 1,
    err: 'Biome is not installed. Run npm install first.\n',
  })
  expect(exists(folder, module)).toBe(false)
})

test('prints the entry of the manifest if its form is unusual', () => {
  const path = 'src/app/(landing)/module.ts'
  const text = `${read(folder, path)}\nexport const other = 1\n`
  writeFileSync(join(folder, path), text)
  const { code, out } = plinth('generate', 'mail', 'landing', 'welcome')
  expect({ code, out }).toMatchObject({
    code: 0,
    out: expect.stringContaining(
      "  import { welcome } from './welcome-mail'\n  mail: [welcome],\n",
    ),
  })
  expect(read(folder, path)).toBe(text)
})

test.each(Object.keys(kinds))('generate %s --help shows its arguments and an example', (kind) => {
  const { code, out } = plinth('generate', kind, '--help')
  expect(code).toBe(0)
  const { arguments: args, example } = kinds[kind as keyof typeof kinds]
  for (const text of [...Object.keys(args), '--dry-run', '--json', example]) {
    expect(out).toContain(text)
  }
  if (kind === 'module')
    expect(out).toMatch(/string[\s\S]+enum:a,b[\s\S]+user[\s\S]+--owned[\s\S]+--shared/)
})

test.each([
  [[], /^Nothing to generate given\. Choose one of: module, page, /],
  [['frobnicate'], /^Cannot generate frobnicate\. Choose one of: module, page, /],
  [['module'], /^No name given\. For example: npx plinth generate module/],
  [['module', 'bookmarks'], /^No fields given\./],
  [['module', 'bookmarks', 'title:strin'], /^Unknown type in title:strin/],
  [['module', 'books', 'title:string', '--owned', '--shared'], /^Give either --owned or --shared/],
  [['module', 'books', 'title:string', '--colour'], /^Unknown option '--colour'\. Run npx plinth/],
  [['module', 'books', 'title:string', '--public'], /^--public is not a flag of generate module/],
  [
    ['module', 'users', 'name:string'],
    /^The table users exists already: node_modules\/plinth\/migrations/,
  ],
  [['module', 'api', 'name:string', '--singular', 'call'], /^\/api is the HTTP API\./],
  [['page', 'shop', '/shop'], /^Module shop is not installed\. Installed modules: landing\./],
  [['page', 'auth', '/auth'], /^Module auth is not installed\./],
  [['page', 'landing'], /^No path given\./],
  [['page', 'landing', 'about'], /^Invalid path: about\./],
  [['page', 'landing', '/../about'], /^Invalid path/],
  [['page', 'landing', '/api/about'], /^\/api is the HTTP API\./],
  [['page', 'landing', '/sign-in'], /^\/sign-in has a page already: src\/app\/\(auth\)\/sign-in/],
  [['page', 'landing', '/a', '--public', '--admin'], /^Give either --public or --admin/],
  [['page', 'landing', '/a/[id]', '--public'], /^A public page is prerendered/],
  [['action', 'landing', 'delete'], /^delete has another meaning in code/],
  [['mail', 'landing', 'mail'], /^mail has another meaning in code/],
  [['action', 'landing', '../x'], /^Invalid name: \.\.\/x\./],
  [['route', 'landing', 'fetch', '/x'], /^Unknown method: fetch\./],
  [['route', 'landing', 'get', '/api/x'], /^Invalid path: \/api\/x\. Write it without \/api/],
  [
    ['route', 'landing', 'get', '/health'],
    /^GET \/api\/health is declared already: node_modules\/plinth\/src\/api/,
  ],
  [['mail', 'landing'], /^No name given\./],
  [['mail', 'landing', 'one', 'two'], /^Unexpected argument: two\./],
  [['job', 'landing'], /^No name given\./],
  [['job', 'landing', 'job'], /^job has another meaning in code/],
  [
    ['job', 'landing', 'check', '--schedule', 'daily'],
    /^Invalid schedule: daily\. Use five fields/,
  ],
  [['provider', 'Git Lab'], /^Invalid provider id/],
  [['provider', 'gitlab', '--url', 'http://gitlab.com'], /^Invalid URL/],
  [['provider', 'github'], /src\/plinth\.config\.ts has github already/],
  [['migration', 'shop', 'add-tags'], /^Module shop is not installed/],
])('rejects %j in one line and changes nothing', (args, message) => {
  const { code, err, out } = plinth('generate', ...args)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(message)
  expect(err.trim().split('\n')).toHaveLength(1)
  expect(git(folder, 'status', '--porcelain')).toBe('')
})

function runInFolder(...args: string[]) {
  return run(process.execPath, args, folder)
}

function biome() {
  const program = 'node_modules/@biomejs/biome/bin/biome'
  return runInFolder(program, 'check', '--error-on-warnings', 'src')
}
