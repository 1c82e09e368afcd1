import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeLock } from '#db/embedded/lock'
import { run } from '#testing/program'
import { compileProgram } from '../../../support/compile-program'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plinth-lock-'))
  path = join(folder, 'lock.json')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const holder = () => JSON.parse(readFileSync(path, 'utf8'))

test('writes the process id and removes the file on release', () => {
  const release = takeLock(path)
  expect(holder().pid).toBe(process.pid)
  release()
  expect(readdirSync(folder)).toEqual([])
})

test('rejects a second process and names the first', async () => {
  const other = run(process.execPath, [await compileProgram('hold-lock.ts'), path], {})
  other.child.stdin?.write('go\n')
  await other.waitFor(/locked/)
  expect(() => takeLock(path)).toThrow(
    `The embedded database is in use by process ${other.pid}. Stop it, or set DATA_DIR to another folder.`,
  )
  expect(holder().pid).toBe(other.pid)
  other.child.kill('SIGKILL')
  await other.exited
  takeLock(path)()
})

test('takes over a lock whose process id was reused', () => {
  writeFileSync(path, JSON.stringify({ pid: process.pid, host: hostname(), startedAt: 'long ago' }))
  const release = takeLock(path)
  expect(holder().startedAt).not.toBe('long ago')
  release()
})

test.each(['', '{', '{"pid":"x"}', 'null'])('takes over an invalid lock file: %j', (content) => {
  writeFileSync(path, content)
  const release = takeLock(path)
  expect(holder().pid).toBe(process.pid)
  release()
})

test('does not take over a lock of another machine', () => {
  writeFileSync(path, JSON.stringify({ pid: 1, host: 'another-machine', startedAt: null }))
  expect(() => takeLock(path)).toThrow(/locked by process 1 on another-machine.*delete/)
  expect(holder().host).toBe('another-machine')
})

test('release keeps the lock of another process', () => {
  const release = takeLock(path)
  writeFileSync(path, '{"pid":1}')
  release()
  expect(existsSync(path)).toBe(true)
})

test('one of many concurrent processes takes over a stale lock', async () => {
  const program = await compileProgram('hold-lock.ts')
  for (let round = 0; round < 5; round += 1) {
    writeFileSync(path, JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), startedAt: null }))
    const competitors = Array.from({ length: 8 }, () => run(process.execPath, [program, path], {}))
    await Promise.all(competitors.map((competitor) => competitor.waitFor(/waiting/)))
    for (const competitor of competitors) competitor.child.stdin?.write('go\n')
    await Promise.all(competitors.map((competitor) => competitor.waitFor(/locked|rejected/)))
    expect(competitors.filter((competitor) => competitor.output().includes('locked'))).toHaveLength(
      1,
    )
    for (const competitor of competitors) competitor.child.kill('SIGKILL')
    await Promise.all(competitors.map((competitor) => competitor.exited))
    rmSync(path)
  }
})
