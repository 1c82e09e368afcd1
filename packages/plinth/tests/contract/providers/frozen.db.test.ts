import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accountChanges, recoveries } from '#db/schema'
import { newClient } from '#testing/client'
import { testDatabase } from '#testing/database/database'
import { databaseRows } from '#testing/database/database-rows'
import { oauthServers, signInWith } from '#testing/oauth/oauth'
import { installed } from '../../support/installed-providers'

const db = testDatabase()
const { newProviderUser } = oauthServers(installed)
const { counts, userOf } = databaseRows(db)

test('a frozen account is told so on the sign-in page', async () => {
  const { email } = newProviderUser('github')
  await signInWith(newClient(), 'github')
  const userId = (await userOf(email))?.id ?? ''
  const now = sql`now()`
  const opened = { openedAt: now, openedBy: [email], readyAt: now }
  await db.database.insert(recoveries).values({ userId, state: 'waiting', ...opened })
  const before = await counts()
  const response = await signInWith(newClient(), 'github')
  expect(response.headers.get('location')).toBe('/sign-in?error=account_frozen')
  expect(await counts()).toEqual(before)
})

test('an email that another account has left recently is in use', async () => {
  const { email } = newProviderUser('google', { email: 'left@example.org' })
  await db.database.insert(accountChanges).values({
    userId: crypto.randomUUID(),
    at: sql`now()`,
    email,
    newEmail: 'new@example.org',
    link: 'open',
    endsAt: sql`now() + interval '1 day'`,
  })
  const before = await counts()
  const response = await signInWith(newClient(), 'google')
  expect(response.headers.get('location')).toBe('/sign-in?error=email_in_use')
  expect(await counts()).toEqual(before)
})
