import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createInstalledProject } from './support/installed-project'
import { run } from './support/run'

test.each([
  { given: 'nothing', env: {}, file: '', said: '-p 3000 -H 127.0.0.1' },
  { given: 'settings', env: { PORT: '4444', HOST: '::1' }, file: 'PORT=1', said: '-p 4444 -H ::1' },
  { given: 'a .env', env: {}, file: 'PORT=5555', said: '-p 5555 -H 127.0.0.1' },
])('with $given it develops with $said', async ({ env, file, said }) => {
  const project = await createInstalledProject()
  project.write('.env', file)
  const dev = run(project.folder, ['scripts/dev.mjs'], { env })
  await dev.says(`developing with ${said}\n`)
  dev.child.kill('SIGTERM')
  expect(await dev.exitCode).toBe(143)
})

test('the exit code of the development server is passed on', async () => {
  const project = await createInstalledProject()
  const dev = run(project.folder, ['scripts/dev.mjs'])
  await dev.says('developing')
  process.kill(Number(readFileSync(project.path('held'), 'utf8')), 'SIGUSR2')
  expect(await dev.exitCode).toBe(7)
})
