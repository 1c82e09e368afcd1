import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createInstalledProject } from '../support/installed-project'
import { run } from '../support/run'

test.each([
  { source: 'defaults', env: {}, file: '', args: '-p 3000 -H localhost' },
  {
    source: 'environment',
    env: { PORT: '4444', HOST: '::1' },
    file: 'PORT=1',
    args: '-p 4444 -H ::1',
  },
  { source: '.env', env: {}, file: 'PORT=5555', args: '-p 5555 -H localhost' },
])('passes $args to next dev from the $source', async ({ env, file, args }) => {
  const project = await createInstalledProject()
  project.write('.env', file)
  const dev = run(project.folder, ['scripts/start.mjs', 'dev'], { env })
  await dev.prints(`developing with ${args}\n`)
  dev.child.kill('SIGTERM')
  expect(await dev.exitCode).toBe(143)
})

test('exits with the exit code of the development server', async () => {
  const project = await createInstalledProject()
  const dev = run(project.folder, ['scripts/start.mjs', 'dev'])
  await dev.prints('developing')
  process.kill(Number(readFileSync(project.path('pid'), 'utf8')), 'SIGUSR2')
  expect(await dev.exitCode).toBe(7)
})

test.each(['-p', '--port=3001', '-H', '--hostname'])('rejects the flag %s', async (flag) => {
  const project = await createInstalledProject()
  const dev = run(project.folder, ['scripts/start.mjs', 'dev', flag])
  expect(await dev.exitCode).toBe(1)
  expect(dev.output()).toBe(
    `${flag} is not supported. Set HOST and PORT: HOST=127.0.0.1 PORT=3001 npm run dev\n`,
  )
})
