import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { writeJournal } from '../../cli/source/change/journal.mjs'
import { createApp } from './support/app'
import { isThere, run, snapshot } from './support/run'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

let app: string
let program: string
let plinth: ReturnType<typeof createApp>['plinth']

beforeAll(() => {
  ;({ app, program, plinth } = createApp('landing'))
})

/** Runs a command and kills it so long after it began to change the tree. */
async function killAfterStart(args: string[], delay: number): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: app,
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  while (!existsSync(join(app, '.plinth')) && child.exitCode === null) {
    await new Promise((resolve) => setImmediate(resolve))
  }
  await new Promise((resolve) => setTimeout(resolve, delay))
  child.kill('SIGKILL')
  await ended
}

test('killed at any moment, the tree is as it was, or as it was to be', async () => {
  const before = snapshot(app)
  expect(plinth('add', 'admin').code).toBe(0)
  const after = snapshot(app)
  let undone = 0

  for (let round = 0; round < 12; round += 1) {
    const isAdding = round % 2 === 1
    if (isAdding ? isThere(app, 'src/app/(admin)') : !isThere(app, 'src/app/(admin)')) {
      expect(plinth(isAdding ? 'remove' : 'add', 'admin').code).toBe(0)
    }
    const [start, end] = isAdding ? [before, after] : [after, before]
    expect(snapshot(app)).toEqual(start)
    await killAfterStart([isAdding ? 'add' : 'remove', 'admin'], round * 2)
    // The guardian works on by itself; it is done when its folder is gone.
    await vi.waitFor(() => expect(isThere(app, '.plinth')).toBe(false), { timeout: 20_000 })
    const left = snapshot(app)
    const isUndone = JSON.stringify(left) === JSON.stringify(start)
    if (isUndone) undone += 1
    else expect(left).toEqual(end)
  }
  // Some were killed before they were done, or nothing was shown.
  expect(undone).toBeGreaterThan(0)
})

test('when the guardian is gone too, npm start says so and the next command puts it back', async () => {
  const path = join(app, 'src/modules.ts')
  const before = readFileSync(path, 'utf8')
  await writeJournal(
    app,
    new Map([
      ['src/modules.ts', Buffer.from('half')],
      ['src/new/file.ts', Buffer.from('half')],
    ]),
  )
  // As if by a process that is no more.
  const plan = join(app, '.plinth/journal/plan.json')
  const { pid } = await spawnAndEnd()
  writeFileSync(plan, readFileSync(plan, 'utf8').replace(/"pid":\d+/, `"pid":${pid}`))
  writeFileSync(path, 'half')

  const start = run(process.execPath, ['scripts/start.mjs'], app)
  expect(start).toMatchObject({ code: 1, err: expect.stringContaining('npx plinth recover') })
  expect(plinth('recover').out).toContain('as it was before')
  expect(readFileSync(path, 'utf8')).toBe(before)
  expect(isThere(app, '.plinth')).toBe(false)
  expect(isThere(app, 'src/new')).toBe(false)
})

async function spawnAndEnd() {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  return { pid: child.pid }
}

test('a second command waits for the first, and says whose turn it is', async () => {
  await writeJournal(app, new Map([['src/modules.ts', Buffer.from('half')]]))
  const plan = join(app, '.plinth/journal/plan.json')
  writeFileSync(plan, readFileSync(plan, 'utf8').replace(/"pid":\d+/, `"pid":${process.pid}`))
  expect(plinth('add', 'content')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Another plinth command is under way'),
  })
  expect(isThere(app, 'src/app/(content)')).toBe(false)
})
