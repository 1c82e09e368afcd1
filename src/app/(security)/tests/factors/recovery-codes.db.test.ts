import { createHash } from 'node:crypto'
import { installModules } from 'plinth/modules/installed-modules'
import { giveAllProofs, newClient, testDatabase } from 'plinth/testing'
import { expect, test } from 'vitest'
import { createRecoveryCodes } from '../../actions'
import { module } from '../../module'
import { recoveryCodes } from '../../schema'
import { addApp, newUser, password, succeeded } from '../users'

const db = testDatabase()

installModules([module])

/** Signs in with the password and a recovery code, in another browser. */
async function signInWith(email: string, code: string | undefined): Promise<number> {
  const client = newClient()
  const { challenge } = await (await client.signIn(email, password)).json()
  const body = { challenge, method: 'recovery_code', code, redirect: false }
  return (await client.post('/api/auth/signin/verify', body)).status
}

test('have 120 random bits each, as six groups of four characters', async () => {
  const { scope } = await newUser(db.database)
  const { codes: first } = await addApp(db.database, scope)
  await giveAllProofs(db.database, scope, 'add_factor')
  const { codes: replaced } = succeeded(await createRecoveryCodes.run(scope, {}))
  const codes = [...first, ...replaced]
  for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){5}$/)
  // Each character of the alphabet is missing from all 480 with a probability of 0.00002 %.
  expect(new Set(codes.join('').replaceAll('-', '')).size).toBe(32)
})

test('work as they are, without dashes, with spaces, and as read from paper', async () => {
  const { email, scope } = await newUser(db.database)
  const [first, second = '', third = '', fourth = ''] = (await addApp(db.database, scope)).codes
  expect(await signInWith(email, first)).toBe(200)
  expect(await signInWith(email, second.replaceAll('-', ''))).toBe(200)
  expect(await signInWith(email, ` ${third.replaceAll('-', ' ').toUpperCase()} `)).toBe(200)
  expect(await signInWith(email, fourth.replaceAll('o', '0').replaceAll('l', '1'))).toBe(200)
  expect(await signInWith(email, first)).toBe(401)
})

test('of the earlier length keep working until they are used or replaced', async () => {
  const { id, email, scope } = await newUser(db.database)
  await addApp(db.database, scope)
  const earlier = ['abcdefgh2345ijkl', 'zyxwvuts7654ponm']
  const rows = earlier.map((code) => ({
    userId: id,
    codeHash: createHash('sha256').update(code).digest(),
  }))
  await db.database.insert(recoveryCodes).values(rows)
  expect(await signInWith(email, 'abcd-efgh-2345-ijkl')).toBe(200)
  expect(await signInWith(email, 'abcd-efgh-2345-ijkl')).toBe(401)
  await giveAllProofs(db.database, scope, 'add_factor')
  succeeded(await createRecoveryCodes.run(scope, {}))
  expect(await signInWith(email, earlier[1])).toBe(401)
})
