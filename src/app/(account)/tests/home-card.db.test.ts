import { record } from 'plinth/audit/record'
import { testDatabase } from 'plinth/testing'
import { expect, test } from 'vitest'
import { accountCard } from '../data/home-card'
import { listSignIns } from '../data/sign-ins'
import { newUser, signIn } from './users'

const db = testDatabase()

test('the card shows where the account is used, and only this one', async () => {
  const me = await newUser(db.database)
  const other = await newUser(db.database)
  const attempt = { action: 'sign_in', ip: '192.0.2.7', requestId: 'r' }
  await record(db.database, { ...attempt, outcome: 'failure', targetId: me.id })
  await record(db.database, { ...attempt, outcome: 'failure', targetId: other.id })
  expect(await accountCard(me.scope)).toEqual({
    text: 'Signed in on this device only.',
    items: [
      {
        href: '/account/sign-in',
        label: 'Failed sign-in',
        detail: '192.0.2.7',
        at: expect.any(Date),
      },
    ],
    actions: [],
  })
  expect(await listSignIns(me.scope)).toMatchObject([{ succeeded: false, ip: '192.0.2.7' }])
  await signIn(db.database, me.user)
  expect(await accountCard(me.scope)).toMatchObject({
    text: 'Signed in on 2 devices.',
    actions: [{ label: 'Review sessions' }],
  })
})

test('a user without a password is offered to set one', async () => {
  const { scope } = await newUser(db.database, { password: false, providers: ['provider-a'] })
  expect((await accountCard(scope)).actions).toMatchObject([{ label: 'Set a password' }])
})
