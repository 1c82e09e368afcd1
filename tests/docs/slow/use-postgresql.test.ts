import { randomBytes } from 'node:crypto'
import { readFileSync, statSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { administer } from 'plinth/testing'
import { startServer } from 'plinth/testing/server'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../cli/support/template'
import { applySteps, runInShell } from '../support/apply-steps'
import { parseDocument } from '../support/parse-document'
import { readRecipe } from '../support/recipes'

const server = process.env.TEST_DATABASE_URL
const database = `my_app_${randomBytes(6).toString('hex')}`

afterAll(async () => {
  if (!server) return
  await administer(`drop database if exists ${database} with (force)`)
  await administer(`drop role if exists ${database}`)
})

test.runIf(server)('the recipe for PostgreSQL leads to a running app with an admin', async () => {
  const { host } = new URL(server ?? '')
  const recipe = readRecipe('postgresql')
    .replaceAll('postgres://postgres@localhost:5432/postgres', server ?? '')
    .replaceAll('localhost:5432', host)
    .replaceAll('my_app', database)
  const folder = temporaryFolder()
  for (const shared of ['src', 'node_modules', '.next'])
    symlinkSync(resolve(shared), join(folder, shared))
  await applySteps(parseDocument(recipe), folder, (command, inFolder) =>
    runInShell(command.replace(/^npm run (\S+) *(?:--)?/, builtProgram), inFolder),
  )
  expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600)

  const lines = readFileSync(join(folder, '.env'), 'utf8').trim().split('\n')
  const settings = lines.map((line) => /^(\w+)=(.+)$/.exec(line)?.slice(1) ?? [])
  const running = await startServer(Object.fromEntries(settings))
  expect((await fetch(`${running.url}/api/health`)).status).toBe(200)
  expect(await running.stop()).toBe(0)
})

/** The program that the command runs after it has installed and built. */
function builtProgram(_: string, script: string): string {
  const program = `${resolve('node_modules/plinth')} ${script.replace(':', '-')}`
  // Nothing listens on port 1.
  const port = script === 'doctor' ? 'PORT=1' : ''
  return `${port} NODE_ENV=production node ${program}`
}
