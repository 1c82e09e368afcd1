import { mkdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { coreRecord, moduleRecord } from '../../packages/plinth/scripts/testing/fingerprint.mjs'
import { createProject, type Project } from './support/project'
import { run } from './support/run'

/** An app whose record names this text of src/register.ts, created from a folder beside it. */
function createApp(serverDigest: string) {
  const app = createProject()
  app.write('plinth.json', JSON.stringify({ version: '1.0.0', from: { repository: 'template' } }))
  app.write('src/register.ts', 'export const app = {}\n')
  app.write('package-lock.json', '{"packages":{}}')
  const record = { files: { 'src/register.ts': serverDigest }, packages: {} }
  app.write('tests/core.json', JSON.stringify(record))
  app.write(
    'plan.mjs',
    `import { planTemplateTests } from './packages/plinth/scripts/testing/template-tests.mjs'
const plan = await planTemplateTests()
process.stdout.write(JSON.stringify(plan) + '\\n')`,
  )
  const plan = async ({ NIGHTLY = '' } = {}) => {
    const planned = run(app.folder, ['plan.mjs'], { env: { PLINTH_SOURCE: '', NIGHTLY } })
    expect(await planned.exitCode).toBe(0)
    return { plan: JSON.parse(planned.lines().at(-1) ?? ''), output: planned.output() }
  }
  return { app, plan }
}

/** The record of this app as it is now, with these modules. */
function writeRecord(app: Project, modules = {}) {
  const core = coreRecord(
    new Map([['src/register.ts', readFileSync(app.path('src/register.ts'))]]),
    [],
    lock,
  )
  app.write('tests/core.json', JSON.stringify({ ...core, modules }))
}

const lock = { packages: {} }

/** Writes one test, as the CLI of the template does, and its arguments. */
const writesTests = `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
const into = process.argv[process.argv.indexOf('--into') + 1]
mkdirSync(into, { recursive: true })
writeFileSync(into + '/policy.test.ts', '')
appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n')
`

test('unchanged core is not tested again', async () => {
  const { app, plan } = createApp('')
  writeRecord(app)
  expect((await plan()).plan).toEqual({})
})

test('changed core is tested with the tests of its version, which are fetched once', async () => {
  const { app, plan } = createApp('another')
  app.write('template/cli/bin/plinth.mjs', writesTests)
  const first = await plan()
  expect(first.plan).toEqual({ environment: { CORE_TESTS: '.plinth/core/tests' } })
  expect(first.output).toContain(
    "Runs core's tests too: core differs from the template (src/register.ts).",
  )
  await plan()
  expect(readFileSync(app.path('calls'), 'utf8').trim().split('\n')).toHaveLength(1)
  expect(readFileSync(app.path('.plinth/core/tests/policy.test.ts'), 'utf8')).toBe('')
})

test('changed core that cannot be tested is a failure, which says why', async () => {
  const { plan } = createApp('another')
  const { failure } = (await plan()).plan
  expect(failure).toMatch(
    /^core differs from the template \(src\/register\.ts\), and its tests could not be fetched: Not found: .*template/,
  )
})

test("an app that has core's tests needs none of the template", async () => {
  const { app, plan } = createApp('another')
  mkdirSync(app.path('packages/plinth/tests'), { recursive: true })
  expect((await plan()).plan).toEqual({})
})

test('the tests of an unchanged module are left out, those of changed and own ones are not', async () => {
  const { app, plan } = createApp('')
  const modules = ['edited', 'notes', 'own']
  for (const id of modules) app.write(`src/app/(${id})/module.ts`, id)
  const recorded = ['edited', 'notes', 'not-installed'].map((id) => {
    const path = `src/app/(${id})/module.ts`
    return [id, moduleRecord([[path, Buffer.from(id)]], [], lock)]
  })
  writeRecord(app, Object.fromEntries(recorded))
  app.write('src/app/(edited)/module.ts', 'changed')
  const { plan: planned, output } = await plan()
  expect(planned).toEqual({ environment: { UNCHANGED_MODULES: 'notes' } })
  expect(output).toContain(
    'Leaves out the tests of modules that are as in the template: notes.\nTo run them: npm test -- src/app\n',
  )
  expect((await plan({ NIGHTLY: 'true' })).plan).toEqual({})
})

test('changed core runs the tests of all modules', async () => {
  const { app, plan } = createApp('another')
  app.write('template/cli/bin/plinth.mjs', writesTests)
  app.write('src/app/(notes)/module.ts', 'notes')
  const notes = moduleRecord([['src/app/(notes)/module.ts', Buffer.from('notes')]], [], lock)
  const record = { files: { 'src/register.ts': 'another' }, packages: {}, modules: { notes } }
  app.write('tests/core.json', JSON.stringify(record))
  const { plan: planned } = await plan()
  expect(planned).toEqual({ environment: { CORE_TESTS: '.plinth/core/tests' } })
})
