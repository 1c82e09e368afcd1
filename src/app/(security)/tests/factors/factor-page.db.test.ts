import { giveProof } from 'plinth/auth/accounts/change-proofs'
import type { SignedInScope } from 'plinth/guard/policy'
import { findPage } from 'plinth/http/page-registry'
import { installModules } from 'plinth/modules/installed-modules'
import { giveAllProofs, testDatabase } from 'plinth/testing'
import { expect, test } from 'vitest'
import '../../account/security/app/page'
import '../../account/security/passkeys/new/page'
import { startAuthenticatorApp } from '../../actions'
import { module } from '../../module'
import '../../sign-in/factor/page'
import { addApp, newPasskeyUser, newUser, succeeded } from '../users'

const db = testDatabase()

// As the root layout does.
installModules([module])

const change = 'add_factor'

const load = (path: string, scope: SignedInScope, query: Record<string, string> = {}) =>
  findPage(path)?.preload(scope, { params: {}, query })

const asked = { change, callbackUrl: '/account/security/codes' }
const confirm = '/confirm?change=add_factor&callbackUrl=%2Faccount%2Fsecurity%2Fcodes'
const leadingTo = (url: string) => ({ digest: expect.stringContaining(`;${url};`) })

test('shows the methods that the user has, the app first', async () => {
  const { scope } = await newUser(db.database)
  await addApp(db.database, scope)
  await expect(load('/sign-in/factor', scope, asked)).resolves.toMatchObject({
    data: { shown: 'totp', others: ['recovery_code'] },
  })
  const passkeyUser = await newPasskeyUser(db.database)
  await expect(load('/sign-in/factor', passkeyUser.scope, asked)).resolves.toMatchObject({
    data: { shown: 'passkey', others: ['recovery_code'] },
  })
})

test('takes a recovery code after the first proof only', async () => {
  const { scope } = await newUser(db.database)
  await addApp(db.database, scope)
  const query = { ...asked, method: 'recovery_code' }
  await expect(load('/sign-in/factor', scope, query)).rejects.toMatchObject(
    leadingTo(`${confirm}&with=recovery_code`),
  )
  const { session } = await db.database.transaction((tx) =>
    giveProof(tx, scope, change, { kind: 'password' }),
  )
  const proven = { ...scope, session }
  await expect(load('/sign-in/factor', proven, query)).resolves.toMatchObject({
    data: { shown: 'recovery_code' },
  })
})

test('leads on without a factor, and once the change is proven', async () => {
  const { scope } = await newUser(db.database)
  await expect(load('/sign-in/factor', scope, asked)).rejects.toMatchObject(leadingTo(confirm))
  await addApp(db.database, scope)
  await giveAllProofs(db.database, scope, change)
  await expect(load('/sign-in/factor', scope, asked)).rejects.toMatchObject(leadingTo(confirm))
})

test('the secret of an app is shown while its setup is proven, and not before', async () => {
  const page = '/account/security/app'
  const { scope } = await newUser(db.database)
  const nothing = { isProven: false, secret: undefined }
  await expect(load(page, scope)).resolves.toMatchObject({ data: nothing })
  await giveAllProofs(db.database, scope, change)
  await expect(load(page, scope)).resolves.toMatchObject({ data: { ...nothing, isProven: true } })
  succeeded(await startAuthenticatorApp.run(scope, { purpose: 'set_up' }))
  const shown = { isProven: true, secret: expect.any(Buffer) }
  await expect(load(page, scope)).resolves.toMatchObject({ data: shown })
  await addApp(db.database, scope)
  await expect(load(page, scope)).resolves.toMatchObject({ data: { ...nothing, hasApp: true } })
})
