import { expect, test } from 'vitest'
import { onCommit } from '#db/after-commit'
import { testDatabase } from '#testing/database/database'

const db = testDatabase()

test('a callback runs once, after the commit', async () => {
  const calls: string[] = []
  const callback = () => calls.push('callback')
  await db.database.transaction(async (tx) => {
    onCommit(callback)
    await tx.execute('select 1')
    onCommit(callback)
    calls.push('end of the transaction')
  })
  expect(calls).toEqual(['end of the transaction', 'callback'])
})

test('a callback of a nested transaction runs after the outer commit', async () => {
  const calls: string[] = []
  await db.database.transaction(async (tx) => {
    await tx.transaction(async () => onCommit(() => calls.push('callback')))
    calls.push('end of the transaction')
  })
  expect(calls).toEqual(['end of the transaction', 'callback'])
})

test('a callback of a transaction that is rolled back never runs', async () => {
  let called = false
  const rolledBack = db.database.transaction(async () => {
    onCommit(() => {
      called = true
    })
    throw new Error('no')
  })
  await expect(rolledBack).rejects.toThrow('no')
  expect(called).toBe(false)
})

test('concurrent transactions run their own callbacks', async () => {
  const calls: number[] = []
  const numbers = Array.from({ length: 10 }, (_, index) => index)
  const outcomes = await Promise.allSettled(
    numbers.map((number) =>
      db.database.transaction(async (tx) => {
        await tx.execute('select 1')
        onCommit(() => calls.push(number))
        if (number % 2 === 1) throw new Error('no')
      }),
    ),
  )
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(5)
  expect(calls.sort()).toEqual([0, 2, 4, 6, 8])
})

test('without a transaction, and after it ended, a callback runs immediately', async () => {
  const calls: string[] = []
  onCommit(() => calls.push('without'))
  expect(calls).toEqual(['without'])

  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  let later = Promise.resolve()
  await db.database.transaction(async () => {
    later = ended.then(() => onCommit(() => calls.push('later')))
  })
  end()
  await later
  expect(calls).toEqual(['without', 'later'])
})
