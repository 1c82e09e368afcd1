import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { plan as planAction } from '../../cli/source/generate/kinds/action.mjs'
import { plan as planJob } from '../../cli/source/generate/kinds/job.mjs'
import { plan as planMail } from '../../cli/source/generate/kinds/mail.mjs'
import { plan as planRoute } from '../../cli/source/generate/kinds/route.mjs'

const scheduled = { schedule: '0 3 * * *' }

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** An app with the module tasks, and files that were written into it. */
function appWith(files: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-names-'))
  folders.push(folder)
  const all = { 'src/app/(tasks)/module.ts': '', 'src/app/(notes)/module.ts': '', ...files }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return { folder }
}

const actions = `'use server'

export const createTask = mutation(
  {
    name: 'create_task',
  },
)
`

test('a job may not have the name of a mail, nor a mail that of a job', async () => {
  const { files } = await planMail(appWith(), ['tasks', 'nightly-digest'])
  await expect(planJob(appWith(files), ['tasks', 'nightly-digest'], scheduled)).rejects.toThrow(
    'nightlyDigest is declared already: src/app/(tasks)/nightly-digest-mail.ts. Choose another name.',
  )
  const job = await planJob(appWith(), ['tasks', 'nightly-digest'], scheduled)
  await expect(planMail(appWith(job.files), ['tasks', 'nightly-digest'])).rejects.toThrow(
    'nightlyDigest is declared already: src/app/(tasks)/nightly-digest-job.ts. Choose another name.',
  )
})

test('an action may not have the name of another one, in the module or in the audit log', async () => {
  const app = appWith({ 'src/app/(tasks)/actions.ts': actions })
  await expect(planAction(app, ['tasks', 'create-task'])).rejects.toThrow(
    'createTask is declared already: src/app/(tasks)/actions.ts. Choose another name.',
  )
  await expect(planAction(app, ['notes', 'create-task'])).rejects.toThrow(
    'An action is named create_task already: src/app/(tasks)/actions.ts. Choose another name.',
  )
  await expect(planAction(app, ['tasks', 'create-tasks'])).resolves.toMatchObject({})
})

test('a route may not have a name that the manifest imports from elsewhere', async () => {
  const manifest = "import { getTasks, other } from './all-routes'\n"
  const app = appWith({ 'src/app/(tasks)/module.ts': manifest })
  await expect(planRoute(app, ['tasks', 'get', '/tasks'])).rejects.toThrow(
    'getTasks is imported already: src/app/(tasks)/module.ts. Choose another name.',
  )
})

test('a misspelled module or type gets a suggestion', async () => {
  await expect(planMail(appWith(), ['taks', 'digest'])).rejects.toThrow(
    'Module taks is not installed. Did you mean tasks? Installed modules: notes, tasks.',
  )
  await expect(planAction(appWith(), ['tasks', 'rename', 'title:strin'])).rejects.toThrow(
    'Unknown type in title:strin: strin. Did you mean string? The types are ',
  )
})

test('a part that was generated before is found unchanged', async () => {
  for (const plan of [planMail, planJob, planAction]) {
    const { files } = await plan(appWith(), ['tasks', 'send-digest'], scheduled)
    await expect(plan(appWith(files), ['tasks', 'send-digest'], scheduled)).resolves.toMatchObject(
      {},
    )
  }
})
