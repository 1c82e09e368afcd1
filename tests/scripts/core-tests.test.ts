import { mkdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createProject } from './support/project'
import { run } from './support/run'

/** An app whose record names this text of src/server.ts, created from a folder beside it. */
function createApp(serverDigest: string) {
  const app = createProject()
  app.write('plinth.json', JSON.stringify({ version: '1.0.0', from: { repository: 'template' } }))
  app.write('package-lock.json', '{"packages":{}}')
  const record = { files: { 'src/server.ts': serverDigest }, packages: {} }
  app.write('tests/core.json', JSON.stringify(record))
  app.write(
    'plan.mjs',
    `import { planCoreTests } from './scripts/testing/core-tests.mjs'
const plan = await planCoreTests()
process.stdout.write(JSON.stringify(plan) + '\\n')`,
  )
  const plan = async () => {
    const planned = run(app.folder, ['plan.mjs'], { env: { PLINTH_SOURCE: '' } })
    expect(await planned.exitCode).toBe(0)
    return { plan: JSON.parse(planned.lines().at(-1) ?? ''), output: planned.output() }
  }
  return { app, plan }
}

/** Writes one test, as the CLI of the template does, and its arguments. */
const writesTests = `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
const into = process.argv[process.argv.indexOf('--into') + 1]
mkdirSync(into, { recursive: true })
writeFileSync(into + '/policy.test.ts', '')
appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n')
`

test('unchanged core is not tested again', async () => {
  const { app, plan } = createApp('')
  const { createHash } = await import('node:crypto')
  const text = readFileSync(app.path('src/server.ts'))
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16)
  app.write('tests/core.json', JSON.stringify({ files: { 'src/server.ts': digest }, packages: {} }))
  expect((await plan()).plan).toEqual({})
})

test('changed core is tested with the tests of its version, which are fetched once', async () => {
  const { app, plan } = createApp('another')
  app.write('template/cli/bin/plinth.mjs', writesTests)
  const first = await plan()
  expect(first.plan).toEqual({ environment: { CORE_TESTS: '.plinth/core-tests' } })
  expect(first.output).toContain(
    "Runs core's tests too: core differs from the template (src/server.ts).",
  )
  await plan()
  expect(readFileSync(app.path('calls'), 'utf8').trim().split('\n')).toHaveLength(1)
  expect(readFileSync(app.path('.plinth/core-tests/policy.test.ts'), 'utf8')).toBe('')
})

test('changed core that cannot be tested is a failure, which says why', async () => {
  const { plan } = createApp('another')
  const { failure } = (await plan()).plan
  expect(failure).toMatch(
    /^core differs from the template \(src\/server\.ts\), and its tests could not be fetched: Not found: .*template/,
  )
})

test("an app that has core's tests needs none of the template", async () => {
  const { app, plan } = createApp('another')
  mkdirSync(app.path('tests/core'))
  expect((await plan()).plan).toEqual({})
})
