import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lastBackupAt, noteBackup, readStorage } from '#db/embedded/storage'

const day = 86_400

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plinth-backup-'))
  mkdirSync(join(folder, 'database'))
  writeDated('database/PG_VERSION', 9)
})

afterEach(() => rmSync(folder, { recursive: true }))

function writeDated(name: string, daysAgo: number): void {
  writeFileSync(join(folder, name), '')
  const time = Date.now() / 1000 - daysAgo * day
  utimesSync(join(folder, name), time, time)
}

const ageInDays = async () => (await readStorage(folder)).backupAgeSeconds / day

test('without a backup its age is that of the database', async () => {
  expect(lastBackupAt(folder)).toBeUndefined()
  expect(await ageInDays()).toBeCloseTo(9, 1)
})

test('the newest archive in the folder of backups counts, and nothing else in it', async () => {
  mkdirSync(join(folder, 'backups'))
  writeDated('backups/backup-1.tar.gz', 5)
  writeDated('backups/backup-2.tar.gz', 3)
  writeDated('backups/backup-3.tar.gz.partial', 0)
  expect(await ageInDays()).toBeCloseTo(3, 1)
})

test('a backup that was written elsewhere counts', async () => {
  mkdirSync(join(folder, 'backups'))
  writeDated('backups/backup-1.tar.gz', 5)
  noteBackup(folder, '/backups/monday.tar.gz')
  expect(await ageInDays()).toBeCloseTo(0, 1)
})
