import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeLock } from '@/core/db/lock'
import { compileProgram, run } from '../support/program'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plinth-lock-'))
  path = join(folder, 'lock.json')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const holder = () => JSON.parse(readFileSync(path, 'utf8'))

test('is taken, names its holder, and is gone when given back', () => {
  const release = takeLock(path)
  expect(holder().pid).toBe(process.pid)
  release()
  expect(readdirSync(folder)).toEqual([])
})

test('a live holder is named, and keeps it', async () => {
  const other = run(process.execPath, [await compileProgram('hold-lock.ts'), path], {})
  other.child.stdin?.write('go\n')
  await other.waitFor(/holds/)
  expect(() => takeLock(path)).toThrow(
    `The embedded database is in use by process ${other.pid}. Stop it, or give this one a DATA_DIR of its own.`,
  )
  expect(holder().pid).toBe(other.pid)
  other.child.kill('SIGKILL')
  await other.ended
  takeLock(path)()
})

test('a number that was given to another process since is not the holder', () => {
  writeFileSync(path, JSON.stringify({ pid: process.pid, host: hostname(), born: 'long ago' }))
  const release = takeLock(path)
  expect(holder().born).not.toBe('long ago')
  release()
})

test.each(['', '{', '{"pid":"x"}', 'null'])('what is no lock is taken over: %j', (content) => {
  writeFileSync(path, content)
  const release = takeLock(path)
  expect(holder().pid).toBe(process.pid)
  release()
})

test('a holder on another machine cannot be looked at, so it is believed', () => {
  writeFileSync(path, JSON.stringify({ pid: 1, host: 'another-machine', born: null }))
  expect(() => takeLock(path)).toThrow(/locked by process 1 on another-machine.*delete/)
  expect(holder().host).toBe('another-machine')
})

test("giving back leaves another's lock alone", () => {
  const release = takeLock(path)
  writeFileSync(path, '{"pid":1}')
  release()
  expect(existsSync(path)).toBe(true)
})

test('many at once over a stale lock: one holds it', async () => {
  const program = await compileProgram('hold-lock.ts')
  for (let round = 0; round < 5; round += 1) {
    writeFileSync(path, JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), born: null }))
    const rivals = Array.from({ length: 8 }, () => run(process.execPath, [program, path], {}))
    await Promise.all(rivals.map((rival) => rival.waitFor(/waiting/)))
    for (const rival of rivals) rival.child.stdin?.write('go\n')
    await Promise.all(rivals.map((rival) => rival.waitFor(/holds|refused/)))
    expect(rivals.filter((rival) => rival.output().includes('holds'))).toHaveLength(1)
    for (const rival of rivals) rival.child.kill('SIGKILL')
    await Promise.all(rivals.map((rival) => rival.ended))
    rmSync(path)
  }
})
