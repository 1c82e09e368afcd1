import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#testing/database/database'
import { run } from '#testing/program'
import { compileProgram } from '../../../support/compile-program'

const strace = process.env.TEST_STRACE ?? ''

let fresh: FreshDatabase
let folder: string

beforeAll(async () => {
  fresh = await freshDatabase()
  folder = mkdtempSync(join(tmpdir(), 'plinth-strace-'))
})

afterAll(async () => {
  await fresh.remove()
  rmSync(folder, { recursive: true, force: true })
})

const writes = 20

/** The system calls tell what PGlite and Node really do, whatever the settings say. */
test.skipIf(!existsSync(strace))(
  'the log is synced before each acknowledgment',
  {
    timeout: 120_000,
  },
  async () => {
    const program = await compileProgram('write-until-killed.ts')
    const trace = join(folder, 'trace')
    const calls = 'trace=pwrite64,write,writev,fsync,fdatasync'
    const writer = run(
      strace,
      ['-f', '-y', '-s', '64', '-e', calls, '-o', trace, process.execPath, program],
      fresh.settings,
    )
    const [, pid] = await writer.waitFor(new RegExp(`wrote (\\d+)-${writes};`))
    process.kill(Number(pid), 'SIGKILL')
    await writer.exited

    const { acknowledged, tooEarly } = readTrace(readFileSync(trace, 'utf8'))
    expect(acknowledged).toBeGreaterThanOrEqual(writes)
    expect(tooEarly).toEqual([])
  },
)

/** Acknowledgments while a write to the log had not been synced yet. */
function readTrace(text: string): { acknowledged: number; tooEarly: string[] } {
  const tooEarly: string[] = []
  let acknowledged = 0
  let unsynced: string | undefined = 'nothing was synced yet'
  for (const line of text.split('\n')) {
    if (/\bpwrite64\(\d+<[^>]*\/pg_wal\//.test(line)) unsynced = line
    else if (/\bf(data)?sync\(\d+<[^>]*\/pg_wal\/[^>]*>\)\s*= 0/.test(line)) unsynced = undefined
    else if (/\bwritev?\(1<.*wrote \d+-\d+;/.test(line)) {
      acknowledged += 1
      if (unsynced !== undefined) tooEarly.push(`${unsynced}\n${line}`)
    }
  }
  return { acknowledged, tooEarly }
}
