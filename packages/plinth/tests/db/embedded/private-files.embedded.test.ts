import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { makePrivate } from '#config/env'
import { freshDatabase, openFresh } from '#testing/database/database'
import { modesOf } from '../../support/file-modes'

const umask = process.umask()
afterEach(() => process.umask(umask))

test('keeps the files of the embedded database private, whatever they were', async () => {
  const fresh = await freshDatabase()
  const folder = fresh.settings.DATA_DIR ?? ''
  execFileSync('chmod', ['-R', 'a+rwX', folder])
  process.umask(0)
  const connection = await openFresh(fresh)
  await connection.query('create table created_later (id int)', [])
  await connection.query('insert into created_later values (1)', [])
  await connection.query('checkpoint', [])
  expect(modesOf(folder, 'database')).toEqual(new Set(['700', '600']))
  // The folder itself may belong to someone else.
  expect(statSync(folder).mode & 0o777).toBe(0o777)
  await connection.close()
  expect(modesOf(folder, 'database')).toEqual(new Set(['700', '600']))
  await fresh.remove()
})

test('does not follow links', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-private-'))
  const elsewhere = mkdtempSync(join(tmpdir(), 'plinth-elsewhere-'))
  writeFileSync(join(elsewhere, 'file'), '')
  chmodSync(join(elsewhere, 'file'), 0o644)
  chmodSync(elsewhere, 0o755)
  symlinkSync(elsewhere, join(folder, 'link'))
  makePrivate(folder)
  makePrivate(join(folder, 'missing'))
  expect(modesOf(elsewhere, '.', 'file')).toEqual(new Set(['755', '644']))
  for (const path of [folder, elsewhere]) rmSync(path, { recursive: true })
})
