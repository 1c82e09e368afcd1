import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { rowsOf } from '#db/client'
import { testDatabase } from '#testing/database/database'

const db = testDatabase()

beforeAll(async () => {
  await db.database.execute(sql`create table test_notes (text text primary key)`)
})

beforeEach(async () => {
  await db.database.execute(sql`delete from test_notes`)
})

const notes = async () => {
  const rows = rowsOf<{ text: string }>(await db.database.execute(sql`select text from test_notes`))
  return rows.map(({ text }) => text)
}

const insert = (text: string) => sql`insert into test_notes values (${text})`

test('commits what the work wrote and returns its result', async () => {
  const result = await db.database.transaction(async (tx) => {
    await tx.execute(insert('a'))
    return 'done'
  })
  expect(result).toBe('done')
  expect(await notes()).toEqual(['a'])
})

test('rolls back after an error, and the connection can be used again', async () => {
  for (let round = 0; round < 10; round += 1) {
    const failing = db.database.transaction(async (tx) => {
      await tx.execute(insert('a'))
      throw new Error('stop')
    })
    await expect(failing).rejects.toThrow('stop')
  }
  expect(await notes()).toEqual([])
})

test('a failed statement fails the transaction even if the work ignores it', async () => {
  const failing = db.database.transaction(async (tx) => {
    await tx.execute(insert('a'))
    await tx.execute(insert('a')).catch(() => {})
  })
  await expect(failing).rejects.toThrow()
  expect(await notes()).toEqual([])
})

test('a nested transaction rolls back alone', async () => {
  await db.database.transaction(async (tx) => {
    await tx.execute(insert('a'))
    const nested = tx.transaction(async (inner) => {
      await inner.execute(insert('b'))
      await inner.execute(insert('a'))
    })
    await expect(nested).rejects.toThrow()
    await tx.transaction((inner) => inner.execute(insert('c')))
  })
  expect((await notes()).sort()).toEqual(['a', 'c'])
})
