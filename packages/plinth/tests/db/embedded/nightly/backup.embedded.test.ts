import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Connection } from '#db/client'
import { createBackup, restoreBackup } from '#db/embedded/backup-file'
import { openEmbedded } from '#db/embedded/embedded'
import { type FreshDatabase, freshDatabase, openFresh } from '#testing/database/database'
import { captureLog } from '../../../support/log'

let fresh: FreshDatabase | undefined
let folder: string
let backups: string
let file: string

beforeEach(() => {
  backups = mkdtempSync(join(tmpdir(), 'plinth-backups-'))
  file = join(backups, 'backup.tar.gz')
})

afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  await fresh?.remove()
  fresh = undefined
  rmSync(backups, { recursive: true, force: true })
})

/** Sets `folder`, the DATA_DIR. */
async function useDatabase(): Promise<FreshDatabase> {
  fresh = await freshDatabase()
  folder = fresh.settings.DATA_DIR ?? ''
  return fresh
}

const unchanged = async () => {}

let sharedFile: string | undefined

afterAll(() => {
  if (sharedFile) rmSync(sharedFile)
})

/** For tests that need any backup: to write one takes longer. */
async function copySharedBackup(): Promise<void> {
  if (!sharedFile) {
    const source = await freshDatabase()
    const written = `${backups}.tar.gz`
    await createBackup(source.settings.DATA_DIR ?? '', written)
    await source.remove()
    sharedFile = written
  }
  copyFileSync(sharedFile, file)
}

async function createTables({ query }: Connection): Promise<void> {
  await query('create table numbers (number integer primary key, filler text)', [])
  await query('create table doubles (number integer primary key references numbers)', [])
}

/** Each number is in both tables or in none. */
function writeNumber({ transact }: Connection, number: number): Promise<unknown> {
  return transact((execute) =>
    execute(`insert into numbers values (${number}, repeat(md5('${number}'), 40));
      update numbers set filler = repeat(md5('again'), 40) where number = ${number} / 2;
      insert into doubles values (${number})`),
  )
}

async function readNumbers({ query }: Connection) {
  const { rows } = await query(
    `select (select count(*)::int from numbers) as count, (select max(number) from numbers) as max,
       (select count(*)::int from doubles) as doubles`,
    [],
  )
  return rows[0] as { count: number; max: number | null; doubles: number }
}

test('a backup is complete up to one moment while requests write', async () => {
  const connection = await openFresh(await useDatabase())
  await createTables(connection)
  let last = 0
  for (; last < 200; last += 1) await writeNumber(connection, last + 1)
  const before = last
  let running = true
  const writing = (async () => {
    while (running) {
      await writeNumber(connection, last + 1)
      last += 1
      // Another turn of the event loop, as between requests.
      await new Promise(setImmediate)
    }
  })()
  const { bytes } = await createBackup(folder, file)
  const after = last
  running = false
  await writing
  await connection.close()

  expect(after).toBeGreaterThan(before)
  expect(statSync(file)).toMatchObject({ size: bytes })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(backups)).toEqual(['backup.tar.gz'])

  const { previous } = await restoreBackup(folder, file, unchanged)
  const restored = await openEmbedded(folder)
  const { count, max, doubles } = await readNumbers(restored)
  expect(count).toBeGreaterThanOrEqual(before)
  expect(count).toBeLessThanOrEqual(after)
  expect([max, doubles]).toEqual([count, count])
  await writeNumber(restored, count + 1)
  await restored.close()

  const left = ['database', basename(previous ?? ''), 'last-backup']
  expect(readdirSync(folder).sort()).toEqual(left)
  rmSync(join(folder, 'database'), { recursive: true })
  renameSync(previous ?? '', join(folder, 'database'))
  const kept = await openEmbedded(folder)
  expect(await readNumbers(kept)).toMatchObject({ count: last })
  await kept.close()
})

test('without a running process the files are copied, also after a crash', async () => {
  const connection = await openFresh(await useDatabase())
  await createTables(connection)
  await writeNumber(connection, 1)
  // As a process that was killed leaves them.
  const killed = join(backups, 'killed')
  cpSync(join(folder, 'database'), join(killed, 'database'), { recursive: true })
  await connection.close()

  await createBackup(killed, file)
  await restoreBackup(folder, file, unchanged)
  const restored = await openEmbedded(folder)
  expect(await readNumbers(restored)).toEqual({ count: 1, max: 1, doubles: 1 })
  await restored.close()
})

test('a backup into an existing file, of no database or of a locked one is refused', async () => {
  await useDatabase()
  writeFileSync(file, 'kept')
  await expect(createBackup(folder, file)).rejects.toThrow(`${file} exists already.`)
  expect(readFileSync(file, 'utf8')).toBe('kept')
  const empty = join(backups, 'empty')
  mkdirSync(empty)
  const other = join(backups, 'other.tar.gz')
  await expect(createBackup(empty, other)).rejects.toThrow('There is no embedded database in')
  const holder = { pid: process.pid, host: hostname(), startedAt: null }
  writeFileSync(join(folder, 'lock.json'), JSON.stringify(holder))
  await expect(createBackup(folder, other)).rejects.toThrow(
    `The embedded database is in use by process ${process.pid}.`,
  )
  expect(readdirSync(backups).sort()).toEqual(['backup.tar.gz', 'empty'])
})

test('what a killed backup has left behind is named, and not removed', async () => {
  await useDatabase()
  const partial = `${file}.partial`
  mkdirSync(partial)
  await expect(createBackup(folder, file)).rejects.toThrow(
    `${partial} exists already: another backup is writing it, or one was killed.`,
  )
  expect(readdirSync(backups)).toEqual(['backup.tar.gz.partial'])
  rmSync(partial, { recursive: true })
  await createBackup(folder, file)
})

test('one backup at a time, and one that disappears does not block the next', async () => {
  const connection = await openFresh(await useDatabase())
  const socket = connect(join(folder, 'backup.sock'))
  await new Promise((resolve) => socket.once('data', resolve))
  await expect(createBackup(folder, file)).rejects.toThrow('Another backup is running.')
  expect(readdirSync(backups)).toEqual([])
  socket.destroy()
  await expect.poll(() => createBackup(folder, file).catch(() => undefined)).toBeDefined()
  await connection.close()
})

test('a process that stops during a backup leaves no file', async () => {
  const connection = await openFresh(await useDatabase())
  const backup = createBackup(folder, file)
  const refused = expect(backup).rejects.toThrow('The server was stopped during the backup.')
  await expect.poll(() => existsSync(`${file}.partial/database`)).toBe(true)
  await connection.close()
  await refused
  expect(readdirSync(backups)).toEqual([])
})

/** A tar file with one entry. */
function tarOf(name: string): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write('0000600\0', 100)
  header.write('00000000000\0', 124)
  header.write('        0', 148)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0) - '0'.charCodeAt(0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 0`, 148)
  return Buffer.concat([header, Buffer.alloc(1024)])
}

test.each([
  ['missing', () => rmSync(file), 'There is no file'],
  ['cut off', () => truncateSync(file, statSync(file).size - 100), 'is damaged'],
  ['changed', () => changeByte(), 'is damaged'],
  ['a text', () => writeFileSync(file, 'not an archive'), 'is no backup'],
  ['compressed text', () => writeFileSync(file, gzipSync('not an archive')), 'is no backup'],
  ['another archive', () => writeFileSync(file, gzipSync(tarOf('other'))), 'is no backup'],
  ['an escaping path', () => writeFileSync(file, gzipSync(tarOf('../other'))), 'is no backup'],
])('a file that is %s is refused and changes nothing', async (_, spoil, message) => {
  await copySharedBackup()
  useFolder()
  spoil()
  const before = readdirSync(folder)
  const prepare = vi.fn()
  await expect(restoreBackup(folder, file, prepare)).rejects.toThrow(message)
  expect(prepare).not.toHaveBeenCalled()
  expect(readdirSync(folder)).toEqual(before)
})

/** Creates the folder that a restore would replace. */
function useFolder(): void {
  folder = join(backups, 'data')
  mkdirSync(join(folder, 'database'), { recursive: true })
}

function changeByte(): void {
  const bytes = readFileSync(file)
  const middle = bytes.length >> 1
  bytes[middle] = (bytes[middle] ?? 0) ^ 0xff
  writeFileSync(file, bytes)
}

test('a restore is refused while a process uses the database', async () => {
  await copySharedBackup()
  const connection = await openFresh(await useDatabase())
  await expect(restoreBackup(folder, file, unchanged)).rejects.toThrow('is in use by process')
  await connection.query('select 1', [])
  await connection.close()
})

test('a failed preparation changes nothing', async () => {
  await copySharedBackup()
  useFolder()
  const before = readdirSync(folder)
  const fail = () => Promise.reject(new Error('cannot be migrated'))
  await expect(restoreBackup(folder, file, fail)).rejects.toThrow('cannot be migrated')
  expect(readdirSync(folder)).toEqual(before)
})

test('an interrupted restore is not taken for a first start', async () => {
  const target = join(backups, 'target')
  mkdirSync(join(target, 'restore.partial'), { recursive: true })
  await expect(openEmbedded(target)).rejects.toThrow('was interrupted. Run npm run restore again')
  await copySharedBackup()
  await restoreBackup(target, file, unchanged)
  await (await openEmbedded(target)).close()
})

test('the log of a running database does not grow forever', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const connection = await openFresh(await useDatabase())
  const segments = () =>
    readdirSync(join(folder, 'database/pg_wal')).filter((name) => /^[0-9A-F]{24}$/.test(name))
  const first = segments().sort()[0] ?? ''
  await connection.query('create table filler (text text)', [])
  await connection.query(
    `insert into filler select repeat(md5(number::text), 50) from generate_series(1, 30000) as number`,
    [],
  )
  expect(segments()).toContain(first)
  vi.advanceTimersByTime(5 * 60_000)
  await expect.poll(segments).not.toContain(first)
  await connection.close()
})

test('a failed checkpoint is logged, and the next is tried', async () => {
  const lines = captureLog()
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const connection = await openFresh(await useDatabase())
  const query = vi.spyOn(PGlite.prototype, 'query')
  query.mockRejectedValueOnce(new Error('could not write'))
  const checkpoints = () => query.mock.calls.filter(([text]) => text === 'checkpoint').length
  vi.advanceTimersByTime(5 * 60_000)
  await expect.poll(lines).toMatchObject([
    {
      level: 'error',
      msg: 'checkpoint failed; the log of the database grows',
      err: { message: 'could not write' },
    },
  ])
  vi.advanceTimersByTime(5 * 60_000)
  await expect.poll(checkpoints).toBe(2)
  await connection.close()
  expect(lines()).toHaveLength(1)
})
