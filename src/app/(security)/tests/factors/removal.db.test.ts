import { findRemovedProtection } from 'plinth/db/migrate/migrate'
import { configure, giveAllProofs, testDatabase } from 'plinth/testing'
import { expect, test } from 'vitest'
import { removeAuthenticatorApp, startAuthenticatorApp } from '../../actions'
import { module } from '../../module'
import { passkeys } from '../../schema'
import { addApp, newUser, succeeded } from '../users'

configure({})
const db = testDatabase()

const protectedUsers = async () => {
  const [removed] = await findRemovedProtection(db.connection, [])
  return removed?.users ?? 0
}

test('without the module, users with a second factor are counted, each once', async () => {
  expect(await protectedUsers()).toBe(0)
  const user = await newUser(db.database)
  await giveAllProofs(db.database, user.scope, 'add_factor')
  succeeded(await startAuthenticatorApp.run(user.scope, { purpose: 'set_up' }))
  expect(await protectedUsers()).toBe(0)
  await addApp(db.database, user.scope)
  expect(await protectedUsers()).toBe(1)
  await addPasskey(user.id)
  expect(await protectedUsers()).toBe(1)
  await addPasskey((await newUser(db.database)).id)
  expect(await protectedUsers()).toBe(2)
  expect(await findRemovedProtection(db.connection, [])).toEqual([{ module: module.id, users: 2 }])
  expect(await findRemovedProtection(db.connection, [module])).toEqual([])
  await db.database.delete(passkeys)
  expect(await protectedUsers()).toBe(1)
  await giveAllProofs(db.database, user.scope, 'remove_factor')
  succeeded(await removeAuthenticatorApp.run(user.scope, {}))
  expect(await protectedUsers()).toBe(0)
})

async function addPasskey(userId: string): Promise<void> {
  const key = { publicKey: Buffer.alloc(77), counter: 0, synced: true }
  await db.database.insert(passkeys).values({ id: userId, userId, name: 'Passkey', ...key })
}
