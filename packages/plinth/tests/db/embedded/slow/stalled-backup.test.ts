import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createBackup } from '#db/embedded/backup-file'
import { copyFromProcess, serveCopies } from '#db/embedded/backup-socket'
import { captureLog } from '../../../support/log'

const limitMs = 1000

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plinth-stalled-'))
})

afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

const end = { label: '', control: '', firstSegment: '1', lastSegment: '1' }

/** Returns the calls that the database gets. Each takes `slowMs`. */
async function serve({ slowMs = 0 } = {}): Promise<string[]> {
  const calls: string[] = []
  const database = {
    async startCopy() {
      calls.push('start')
      await pause(slowMs)
    },
    async endCopy() {
      calls.push('end')
      await pause(slowMs)
      return end
    },
    copyDone: () => void calls.push('done'),
  }
  onTestFinished(await serveCopies(folder, database, limitMs))
  return calls
}

type Copy = Parameters<typeof copyFromProcess>[1]

const copyAtOnce: Copy = { copyFiles: async () => {}, copyLog: async () => {} }

const copy = (steps: Partial<Copy> = {}) =>
  copyFromProcess(folder, { ...copyAtOnce, ...steps }, limitMs)

test('a client that does nothing is given up, and the next is served', async () => {
  const lines = captureLog()
  const calls = await serve()
  const silent = connect(join(folder, 'backup.sock'))
  expect(await text(silent)).toBe('started\nstalled\n')
  await expect.poll(() => calls).toEqual(['start', 'end', 'done'])
  expect(lines()).toMatchObject([{ level: 'error', msg: 'backup made no progress; given up' }])
  expect(await copy()).toBe(true)
})

test.each(['copyFiles', 'copyLog'] as const)('%s without progress is refused', async (step) => {
  captureLog()
  const calls = await serve()
  const stalled = copy({ [step]: () => pause(2 * limitMs) })
  await expect(stalled).rejects.toThrow('The server gave the backup up: it made no progress.')
  expect(calls).toEqual(['start', 'end', 'done'])
})

test('a slow copy that makes progress is completed', async () => {
  await serve()
  const copySlowly = async (onProgress: () => void) => {
    for (let part = 0; part < 30; part += 1) {
      await pause(limitMs / 20)
      onProgress()
    }
  }
  const copied = await copy({
    copyFiles: copySlowly,
    copyLog: (_, onProgress) => copySlowly(onProgress),
  })
  expect(copied).toBe(true)
})

test('the time that the database takes does not count', async () => {
  await serve({ slowMs: 1.5 * limitMs })
  expect(await copy()).toBe(true)
})

test('a backup reports its progress while it copies', async () => {
  mkdirSync(join(folder, 'database', 'pg_wal'), { recursive: true })
  mkdirSync(join(folder, 'database', 'global'))
  writeFileSync(join(folder, 'database', 'pg_wal', '1'), 'log')
  writeFileSync(join(folder, 'database', 'large'), Buffer.alloc(1_000_000))
  const received: string[] = []
  const server = createServer((socket) => {
    socket.write('started\n')
    createInterface({ input: socket }).on('line', (line) => {
      received.push(line)
      if (line === 'copied') socket.write(`${JSON.stringify(end)}\n`)
      if (line === 'complete') socket.write('complete\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(join(folder, 'backup.sock'), resolve))
  onTestFinished(() => void server.close())
  let minutes = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    minutes += 1
    return minutes * 60_000
  })
  await createBackup(folder, join(folder, 'backup.tar.gz'))
  const copied = received.indexOf('copied')
  expect(received.slice(0, copied).length, 'several for a large file').toBeGreaterThan(3)
  expect(received.slice(copied)).toEqual(['copied', 'copying', 'copying', 'complete'])
})
