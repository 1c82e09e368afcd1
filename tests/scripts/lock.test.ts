import { rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { createInstalledProject } from './support/installed-project'
import { run } from './support/run'

const lock = 'node_modules/.cache/plinth/set-up.lock'
const nobody = 2 ** 22 + 1

test.each([
  { left: 'a process that is gone', text: JSON.stringify({ host: hostname(), pid: nobody }) },
  {
    left: 'a process and its npm that are gone',
    text: JSON.stringify({ host: hostname(), pid: nobody, worker: nobody }),
  },
])('a lock left by $left is taken over at once', async ({ text }) => {
  const project = await createInstalledProject()
  project.write(lock, text)
  project.write('src/extra.ts', 'export {}\n')
  const build = run(project.folder, ['scripts/build.mjs'])
  expect(await build.exitCode).toBe(0)
  expect(build.output()).toMatch(/^Building …\nBuilding: done/)
})

test.each([
  { holder: 'a live process', text: JSON.stringify({ host: hostname(), pid: process.pid }) },
  {
    holder: 'the npm that a killed one left running',
    text: JSON.stringify({ host: hostname(), pid: nobody, worker: process.pid }),
  },
  { holder: 'another machine', text: JSON.stringify({ host: 'elsewhere', pid: nobody }) },
])('a lock held by $holder is waited for', async ({ text }) => {
  const project = await createInstalledProject()
  project.write(lock, text)
  project.write('src/extra.ts', 'export {}\n')
  const build = run(project.folder, ['scripts/build.mjs'])
  await build.says('is setting up this folder: waiting.')
  rmSync(project.path(lock))
  expect(await build.exitCode).toBe(0)
  expect(build.output()).toContain('Building: done')
})
