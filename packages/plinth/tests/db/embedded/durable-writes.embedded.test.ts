import fs, { readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { freshDatabase, openFresh, testDatabase } from '#testing/database/database'

const tested = testDatabase()

afterEach(() => {
  vi.restoreAllMocks()
})

/** The names of the files that were synced, in their order. */
function watchSyncs(): string[] {
  const names: string[] = []
  const { fsyncSync } = fs
  vi.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
    names.push(readlinkSync(`/proc/self/fd/${descriptor}`))
    fsyncSync(descriptor)
  })
  return names
}

const walSegment = /\/pg_wal\/[0-9A-F]{24}$/

test('PostgreSQL is told to wait for the disk', async () => {
  const { rows } = await tested.connection.query(
    `select name, setting from pg_settings
     where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'wal_sync_method') order by 1`,
    [],
  )
  expect(rows).toEqual([
    { name: 'fsync', setting: 'on' },
    { name: 'full_page_writes', setting: 'on' },
    { name: 'synchronous_commit', setting: 'on' },
    { name: 'wal_sync_method', setting: 'fsync' },
  ])
})

test('a write is on the disk before it is acknowledged', async () => {
  await tested.connection.query('create table kept (number integer)', [])
  const synced = watchSyncs()
  for (let number = 1; number <= 5; number += 1) {
    await tested.connection.query('insert into kept values ($1)', [number])
    expect(synced).toHaveLength(number)
  }
  expect(synced.filter((name) => !walSegment.test(name))).toEqual([])
  await tested.connection.query('select count(*) from kept', [])
  expect(synced).toHaveLength(5)
})

test('a checkpoint waits until the tables are on the disk', async () => {
  const { rows } = await tested.connection.query(`select pg_relation_filepath('kept') as path`, [])
  const [{ path }] = rows as [{ path: string }]
  const synced = watchSyncs()
  await tested.connection.query('insert into kept values (6)', [])
  await tested.connection.query('checkpoint', [])
  const table = synced.findIndex((name) => name.endsWith(`/${path}`))
  const control = synced.findIndex((name) => basename(name) === 'pg_control')
  expect(table).toBeGreaterThan(-1)
  expect(control).toBeGreaterThan(table)
})

test('after a failed sync nothing is acknowledged until a restart', {
  timeout: 60_000,
}, async () => {
  const fresh = await freshDatabase()
  const connection = await openFresh(fresh)
  vi.spyOn(fs, 'fsyncSync').mockImplementation(() => {
    throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' })
  })
  const write = connection.query('create table lost (number integer)', [])
  await expect(write).rejects.toThrow()
  vi.restoreAllMocks()
  const synced = watchSyncs()
  await expect(connection.query('select 1', [])).rejects.toThrow('Restart the process.')
  await expect(connection.ping()).rejects.toThrow('Restart the process.')
  await connection.close()
  expect(synced).toEqual([])

  const restarted = await openFresh(fresh)
  const { rows } = await restarted.query(`select to_regclass('users')::text as name`, [])
  expect(rows).toEqual([{ name: 'users' }])
  await restarted.close()
  await fresh.remove()
})
