import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#testing/database/database'
import { nightly } from '#testing/nightly'
import { run } from '#testing/program'
import { compileProgram } from '../../support/compile-program'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})

afterAll(() => fresh.remove())

const kills = nightly ? 20 : 5

test(`loses no acknowledged write in ${kills} kills`, {
  timeout: 240_000,
}, async () => {
  const program = await compileProgram('write-until-killed.ts')
  const acknowledged: string[] = []

  for (let round = 0; round <= kills; round += 1) {
    // A slow disk is no failure.
    const settings = { ...fresh.settings, DATABASE_TIMEOUT_MS: '30000' }
    const writer = run(process.execPath, [program], settings)
    const [, found = ''] = await writer.waitFor(/found (.*);/)
    const stored = new Set(found.split(','))
    expect(acknowledged.filter((action) => !stored.has(action))).toEqual([])

    // A different point of the write in each round.
    await writer.waitFor(new RegExp(`wrote \\d+-${5 + round};`))
    writer.child.kill('SIGKILL')
    expect(await writer.exited).toBe('SIGKILL')
    acknowledged.push(
      ...[...writer.output().matchAll(/wrote (.*);/g)].map(([, action]) => action ?? ''),
    )
  }
  expect(acknowledged.length).toBeGreaterThan(kills * 5)
})
