import { existsSync } from 'node:fs'
import postgres from 'postgres'
import { expect, test } from 'vitest'
import { findPostgres } from '../../../packages/plinth/scripts/services/programs.mjs'
import { startPostgresPair } from '../../../packages/plinth/tests/support/services/postgres-pair.mjs'

test('the standby has every acknowledged write when the primary was silent and is killed', async () => {
  const pair = await startPostgresPair(process.env.TEST_POSTGRES_BIN ?? findPostgres())
  const connect = ({ url }: { url: string }) => postgres(url, { max: 1, onnotice: () => {} })
  const primary = connect(pair.primary)
  const standby = connect(pair.standby)
  try {
    await primary`create table kept (number int)`
    await primary`insert into kept values (1)`
    await expect(standby`insert into kept values (2)`).rejects.toThrow('read-only')

    pair.pausePrimary()
    let answered = false
    const waiting = primary`insert into kept values (3)`.then(() => {
      answered = true
    })
    expect(await standby`select number from kept`).toEqual([{ number: 1 }])
    expect(answered).toBe(false)
    pair.resumePrimary()
    await waiting

    await pair.killPrimary()
    await pair.promote()
    await standby`insert into kept values (4)`
    expect(await standby`select number from kept order by number`).toEqual([
      { number: 1 },
      { number: 3 },
      { number: 4 },
    ])
  } finally {
    await Promise.all([primary, standby].map((client) => client.end({ timeout: 1 })))
    await pair.stop()
  }
  expect([pair.primary, pair.standby].filter(({ pid }) => existsSync(`/proc/${pid}`))).toEqual([])
})
