import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type Place } from '../support/database'
import { compileProgram, run } from '../support/program'

let place: Place

beforeAll(async () => {
  place = await freshDatabase()
})

afterAll(() => place.remove())

test('killed twenty times while writing: no acknowledged write is lost', {
  timeout: 240_000,
}, async () => {
  const program = await compileProgram('write-endlessly.ts')
  const acknowledged: string[] = []

  for (let round = 0; round <= 20; round += 1) {
    const writer = run(process.execPath, [program], place.settings)
    const [, found = ''] = await writer.waitFor(/found (.*);/)
    const kept = new Set(found.split(','))
    expect(acknowledged.filter((action) => !kept.has(action))).toEqual([])

    // Somewhere in the middle of a write, each round elsewhere.
    await writer.waitFor(new RegExp(`wrote \\d+-${5 + round};`))
    writer.child.kill('SIGKILL')
    expect(await writer.ended).toBe('SIGKILL')
    acknowledged.push(
      ...[...writer.output().matchAll(/wrote (.*);/g)].map(([, action]) => action ?? ''),
    )
  }
  expect(acknowledged.length).toBeGreaterThan(20 * 5)
})
