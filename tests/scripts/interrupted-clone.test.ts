import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createProject } from './support/project'
import { run } from './support/run'

test('Ctrl-C while the template is cloned leaves nothing and says so', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const { port } = silent.address() as AddressInfo
  const repository = `https://127.0.0.1:${port}/plinth.git`
  const project = createProject()
  project.write('plinth.json', JSON.stringify({ version: '1.0.0', from: { repository } }))

  const plinth = run(project.folder, ['scripts/start.mjs', 'plinth', 'diff'])
  await plinth.prints('Cloning')
  plinth.child.kill('SIGINT')
  expect(await plinth.exitCode).toBe(130)
  expect(plinth.output()).toContain('Canceled. Nothing was changed.\n')
  const left = readdirSync(project.path('node_modules/.cache/plinth'))
  expect(left.filter((name) => name.startsWith('template-'))).toEqual([])
})
