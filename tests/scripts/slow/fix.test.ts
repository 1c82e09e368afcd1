import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createInstalledProject } from '../support/installed-project'
import { repository } from '../support/project'
import { run } from '../support/run'

test('fix updates the list of modules, formats and applies safe fixes', async () => {
  const project = await createInstalledProject()
  mkdirSync(project.path('node_modules/@biomejs'), { recursive: true })
  symlinkSync(join(repository, 'node_modules/@biomejs/biome'), project.path(biome))
  cpSync(join(repository, 'biome.json'), project.path('biome.json'))
  project.write('.gitignore', 'node_modules/\n')
  project.write('src/app/(blog)/module.ts', 'export const module = {}\n')
  project.write('src/text.ts', 'export const text   = "a";\n')
  const fix = run(project.folder, ['scripts/start.mjs', 'fix', 'src/text.ts'])
  expect({ code: await fix.exitCode, output: fix.output() }).toMatchObject({ code: 0 })
  expect(readFileSync(project.path('src/text.ts'), 'utf8')).toBe("export const text = 'a'\n")
  expect(readFileSync(project.path('src/modules.ts'), 'utf8')).toContain('@/app/(blog)/module')
})

const biome = 'node_modules/@biomejs/biome'

test('check updates the list of modules first; in CI an outdated list fails', async () => {
  const project = await createInstalledProject()
  const list = () => readFileSync(project.path('src/modules.ts'), 'utf8')
  await run(project.folder, ['scripts/start.mjs', 'modules']).exitCode
  const before = list()
  project.write('src/app/(blog)/module.ts', 'export const module = {}\n')

  const inCi = run(project.folder, ['scripts/start.mjs', 'check'], { env: { CI: 'true' } })
  expect(await inCi.exitCode).toBe(1)
  expect(inCi.output()).toContain('src/modules.ts does not match the module folders.')
  expect(list()).toBe(before)

  const check = run(project.folder, ['scripts/start.mjs', 'check'])
  await check.exitCode
  expect(check.output()).toMatch(/Check modules.*passed/)
  expect(list()).toContain('@/app/(blog)/module')
})
