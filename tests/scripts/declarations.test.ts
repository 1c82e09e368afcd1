import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createInstalledProject } from './support/installed-project'
import { createProject } from './support/project'
import { run, serveOnce } from './support/run'

const page = 'src/app/(notes)/notes/page.tsx'
const pageError = `${page}: export default page({ … }) or publicPage({ … }), so that the page is authorized.`
const actions = 'src/app/(notes)/actions.ts'
const actionsError = `${actions}: declare save with action({ … }) or mutation({ … }), so that it is authorized, or do not export it.`

test.each(['build', 'start'])('%s stops with one line for each error', async (command) => {
  const project = await createInstalledProject()
  project.write(page, 'export default function Notes() {}\n')
  project.write(actions, `'use server'\n\nexport async function save() {}\n`)
  const failed = run(project.folder, ['scripts/start.mjs', command])
  expect(await failed.exitCode).toBe(1)
  expect(failed.lines()).toEqual([pageError, actionsError])

  rmSync(project.path('src/app/(notes)'), { recursive: true })
  expect((await serveOnce(project.folder)).output).toMatch(/^serving /)
})

test('the check prints the same lines', async () => {
  const project = createProject()
  const check = () => run(project.folder, ['packages/plinth/scripts/check/declarations.mjs'])
  const passed = check()
  expect(await passed.exitCode).toBe(0)
  expect(passed.output()).toBe('')

  project.write(page, 'export default function Notes() {}\n')
  const failed = check()
  expect(await failed.exitCode).toBe(1)
  expect(failed.output()).toBe(`${pageError}\n`)
})
