import { afterEach, beforeEach, expect, test } from 'vitest'
import { authSecrets } from '#config/env'
import { accounts } from '#db/schema'
import { checkRecovery } from '#doctor/checks/contents'
import { complete, follow, hashOf, newBrowser, prove, testAccount } from './test-account'

const { db, account, link, unlink, setPassword, linksIn } = testAccount()

const [oldSecret, newSecret] = ['o', 'n'].map((letter) => letter.repeat(40)) as [string, string]

/** As after a restart with AUTH_SECRET and AUTH_SECRET_PREVIOUS. */
function setSecrets(...secrets: string[]): void {
  const current = authSecrets() as string[]
  current.splice(0, current.length, ...secrets)
}

const initial = [...authSecrets()]

beforeEach(() => setSecrets(oldSecret))
afterEach(() => setSecrets(...initial))

async function unlinkOwn() {
  const own = { provider: 'github', providerAccountId: 'github', userId: account.userId }
  await db.database.insert(accounts).values(own)
  await unlink('github')
}

const findings = async () =>
  (await checkRecovery(db.database, { authSecrets: authSecrets() })).map(
    ({ level, message }) => `${level}: ${message}`,
  )

test('a link and what it restores survive a rotation with the previous secret', async () => {
  await unlinkOwn()
  await setPassword('of the thief')
  const [token] = await linksIn('a@example.com')
  expect(await findings()).toEqual([])
  setSecrets(newSecret, oldSecret)
  expect(await findings()).toEqual([
    'warning: 2 recent changes of sign-in methods can be undone with AUTH_SECRET_PREVIOUS only.',
  ])
  const browser = newBrowser()
  await follow(token, browser)
  expect(await prove(token, browser, hashOf('first'))).toBe(true)
  expect(await complete(token, browser)).toBeDefined()
  expect(await db.database.$count(accounts)).toBe(1)
})

test('a notice that is sent again after a rotation has a link that works', async () => {
  await link('github')
  await linksIn('a@example.com')
  setSecrets(newSecret, oldSecret)
  const [token] = await linksIn('a@example.com')
  expect(await follow(token)).toEqual({ state: 'waiting' })
})

test('without the previous secret the account comes back, and what was removed does not', async () => {
  await unlinkOwn()
  await link('google')
  const [token] = await linksIn('a@example.com')
  setSecrets(newSecret)
  expect(await findings()).toEqual([
    'warning: One recent change of sign-in methods cannot be undone: neither AUTH_SECRET nor AUTH_SECRET_PREVIOUS fits.',
  ])
  const browser = newBrowser()
  await follow(token, browser)
  await prove(token, browser)
  expect(await complete(token, browser)).toBeDefined()
  expect(await db.database.$count(accounts)).toBe(0)
})
