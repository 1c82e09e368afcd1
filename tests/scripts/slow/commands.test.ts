import { expect, test } from 'vitest'
import { createInstalledProject } from '../support/installed-project'
import { createProject } from '../support/project'
import { run } from '../support/run'

const names = [
  ...['add', 'admin-create', 'backup', 'build', 'check', 'create', 'dev', 'diff'],
  ...[
    'doctor',
    'eject',
    'fix',
    'generate',
    'limits',
    'list',
    'migrate',
    'modules',
    'plinth',
    'recover',
  ],
  ...['recovery', 'remove', 'restore', 'start', 'test', 'test-repeat', 'uneject', 'upgrade'],
]

test.each([
  { args: ['frobnicate'], error: 'Unknown command: frobnicate' },
  { args: ['../run'], error: 'Unknown command: ../run' },
  { args: ['constructor'], error: 'Unknown command: constructor' },
  { args: ['lsit'], error: 'Unknown command: lsit. Did you mean list?' },
  { args: [], error: 'No command given' },
])('rejects $args and lists the commands', async ({ args, error }) => {
  const { folder } = createProject()
  const command = run(folder, ['scripts/start.mjs', ...args])
  expect(await command.exitCode).toBe(1)
  expect(command.output()).toBe(`${error.replace(/[^?]$/, '$&.')} Commands: ${names.join(', ')}.\n`)
})

test('npx plinth runs the command plinth', async () => {
  const { folder } = createProject()
  const command = run(folder, ['packages/plinth/scripts/run.mjs', 'list'])
  expect(await command.exitCode).toBe(1)
  expect(command.output()).toMatch(/^No plinth\.json found\./)
})

test('npx plinth generate installs the dependencies first, because it formats with Biome', async () => {
  const { folder } = createProject()
  const command = run(folder, ['packages/plinth/scripts/run.mjs', 'generate', 'module', 'notes'])
  expect(await command.exitCode).toBe(1)
  expect(command.output()).toMatch(/^Installing dependencies[\s\S]*\nNo plinth\.json found\./)
})

test.each(['admin-create', 'backup', 'doctor', 'limits', 'migrate', 'recovery', 'restore'])(
  '%s passes its arguments to the program',
  async (name) => {
    const project = await createInstalledProject()
    const command = run(project.folder, ['scripts/start.mjs', name, '--first', 'second'])
    expect(await command.exitCode).toBe(0)
    expect(command.lines().at(-1)).toBe(`${name}: --first,second`)
  },
)

test('a cluster worker of start runs start again', async () => {
  const project = await createInstalledProject()
  project.write('fork', '')
  const start = run(project.folder, ['scripts/start.mjs', 'start'])
  expect(await start.exitCode).toBe(0)
  expect(start.lines().at(-1)).toBe('worker serves')
})
