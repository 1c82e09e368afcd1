import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nightly } from 'plinth/testing'
import { beforeAll, expect, test, vi } from 'vitest'
import { writeJournal } from '../../../cli/source/transaction/journal.mjs'
import { createApp } from '../support/app'
import { exists, run, snapshot } from '../support/run'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

let app: string
let program: string
let plinth: ReturnType<typeof createApp>['plinth']

beforeAll(() => {
  ;({ app, program, plinth } = createApp('landing'))
})

/** Files that exist only while a command changes others. The template's path stays. */
const workFiles = () => readdirSync(join(app, '.plinth')).filter((name) => name !== 'template.json')

/** At night every 2 ms of the first 24; otherwise three of them. */
const rounds = nightly ? 12 : 3

/** Runs a command and kills it this many milliseconds after it starts to change files. */
async function killAfterStart(args: string[], delay: number): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: app,
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  while (workFiles().length === 0 && child.exitCode === null) {
    await new Promise((resolve) => setImmediate(resolve))
  }
  await new Promise((resolve) => setTimeout(resolve, delay))
  child.kill('SIGKILL')
  await exited
}

test('a command killed at any time is complete or rolled back', async () => {
  const before = snapshot(app)
  expect(plinth('add', 'admin').code).toBe(0)
  const after = snapshot(app)
  let rollbacks = 0

  for (let round = 0; round < rounds; round += 1) {
    const isAdding = round % 2 === 1
    if (isAdding ? exists(app, 'src/app/(admin)') : !exists(app, 'src/app/(admin)')) {
      expect(plinth(isAdding ? 'remove' : 'add', 'admin').code).toBe(0)
    }
    const [start, end] = isAdding ? [before, after] : [after, before]
    expect(snapshot(app)).toEqual(start)
    await killAfterStart([isAdding ? 'add' : 'remove', 'admin'], round * 2)
    // The watchdog keeps running; it removes its files when it is done.
    await vi.waitFor(() => expect(workFiles()).toEqual([]), { timeout: 20_000 })
    const left = snapshot(app)
    const isRolledBack = JSON.stringify(left) === JSON.stringify(start)
    if (isRolledBack) rollbacks += 1
    else expect(left).toEqual(end)
  }
  // Without a single rollback the test would prove nothing.
  expect(rollbacks).toBeGreaterThan(0)
})

/** Runs `add account`, and sends Ctrl-C as soon as the condition is met. */
async function interruptAdd(isTime: (output: string) => boolean) {
  const child = spawn(process.execPath, [program, 'add', 'account'], { cwd: app })
  const exited = once(child, 'close')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text
    })
  }
  while (!isTime(output) && child.exitCode === null) {
    await new Promise((resolve) => setImmediate(resolve))
  }
  child.kill('SIGINT')
  const [code] = await exited
  return { code, output }
}

test('Ctrl-C before or during the changes leaves the app as it was and says so', async () => {
  const before = snapshot(app)
  const early = await interruptAdd((output) => output.includes('Reading modules'))
  expect(early).toEqual({
    code: 130,
    output: expect.stringContaining('Canceled. Nothing was changed.'),
  })
  expect(snapshot(app)).toEqual(before)
  const late = await interruptAdd(() => existsSync(join(app, '.plinth/journal')))
  expect(late).toEqual({
    code: 130,
    output: expect.stringContaining('The changes were rolled back: nothing was changed.'),
  })
  expect(snapshot(app)).toEqual(before)
})

test('without a watchdog npm start fails and the next command rolls back', async () => {
  const path = join(app, 'src/modules.ts')
  const before = readFileSync(path, 'utf8')
  await writeJournal(
    app,
    new Map([
      ['src/modules.ts', Buffer.from('half')],
      ['src/new/file.ts', Buffer.from('half')],
    ]),
  )
  // As written by a process that has exited.
  const plan = join(app, '.plinth/journal/plan.json')
  const { pid } = await spawnAndExit()
  writeFileSync(plan, readFileSync(plan, 'utf8').replace(/"pid":\d+/, `"pid":${pid}`))
  writeFileSync(path, 'half')

  const start = run(process.execPath, ['scripts/start.mjs', 'start'], app)
  expect(start).toMatchObject({ code: 1, err: expect.stringContaining('npx plinth recover') })
  expect(plinth('recover').out).toContain('Rolled back the interrupted command.')
  expect(readFileSync(path, 'utf8')).toBe(before)
  expect(workFiles()).toEqual([])
  expect(exists(app, 'src/new')).toBe(false)
})

async function spawnAndExit() {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  return { pid: child.pid }
}

test('a second command waits for the first, then names its process', async () => {
  await writeJournal(app, new Map([['src/modules.ts', Buffer.from('half')]]))
  const plan = join(app, '.plinth/journal/plan.json')
  writeFileSync(plan, readFileSync(plan, 'utf8').replace(/"pid":\d+/, `"pid":${process.pid}`))
  expect(plinth('add', 'content')).toMatchObject({
    code: 1,
    err: expect.stringContaining(`Another plinth command is running here (process ${process.pid})`),
  })
  expect(exists(app, 'src/app/(content)')).toBe(false)
})
