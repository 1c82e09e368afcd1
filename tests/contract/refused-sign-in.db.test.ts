import { beforeAll, describe, expect, test } from 'vitest'
import { createDemoAccounts } from '@/core/auth/demo-accounts'
import { sessions } from '@/core/db/schema'
import { newClient } from '../support/client'
import { testDatabase } from '../support/database'
import { idOf, lastEvent } from '../support/stored'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

const sessionCount = () => db.database.$count(sessions)

describe('a sign-in that fails', () => {
  test('tells the same for an unknown address and a wrong password', async () => {
    const before = await sessionCount()
    const answers = []
    for (const email of ['viewer@example.com', 'nobody@example.com', 'not an address']) {
      const response = await newClient().signIn(email, 'wrong password')
      expect(response.status).toBe(401)
      expect(response.headers.getSetCookie()).toEqual([])
      const { requestId, ...body } = await response.json()
      answers.push(JSON.stringify(body))
    }
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toContain('"code":"invalid_credentials"')
    expect(await sessionCount()).toBe(before)
  })

  test('is in the audit trail without what was typed', async () => {
    await newClient().signIn('viewer@example.com', 'my-other-password')
    const event = await lastEvent(db.database)
    expect(event).toMatchObject({
      action: 'sign_in',
      outcome: 'failure',
      actorId: null,
      targetId: await idOf(db.database, 'viewer@example.com'),
    })
    await newClient().signIn('secret-typed-here', 'x')
    expect(JSON.stringify(await lastEvent(db.database))).not.toMatch(
      /secret-typed-here|my-other-password/,
    )
  })

  test('sends a person at a form back to it, with where they were going', async () => {
    const response = await newClient().send('/api/auth/signin', {
      method: 'POST',
      body: 'email=viewer%40example.com&password=wrong&callbackUrl=%2Felsewhere',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      },
    })
    expect(response.status).toBe(303)
    const location = response.headers.get('location')
    expect(location).toBe('/sign-in?error=invalid_credentials&callbackUrl=%2Felsewhere')
    const [cookie, ...more] = response.headers.getSetCookie()
    expect(more).toEqual([])
    expect(cookie).toMatch(
      /^plinth\.typed-email=viewer%40example\.com; Max-Age=60; Path=\/; HttpOnly/,
    )
    expect(cookie).not.toContain('wrong')
  })

  test('sends a person back to the form for every other reason too', async () => {
    const client = newClient()
    const submit = (body: string) =>
      client.send('/api/auth/signin', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
      })
    const missing = await submit('email=&password=')
    expect(missing.headers.get('location')).toBe('/sign-in?error=validation_failed')
    for (let count = 0; count < 10; count += 1) await submit('email=a&password=b')
    const limited = await submit('email=a&password=b')
    expect(limited.headers.get('location')).toBe('/sign-in?error=rate_limited')
  })

  test('names the fields that are missing', async () => {
    const response = await newClient().post('/api/auth/signin', { email: '', redirect: 'perhaps' })
    expect(response.status).toBe(422)
    const { errors } = await response.json()
    expect(errors.map(({ field }: { field: string }) => field)).toEqual([
      'email',
      'password',
      'redirect',
    ])
  })

  test('ten times from one address: then even the right password waits', async () => {
    const client = newClient()
    for (let count = 0; count < 10; count += 1) {
      expect((await client.signIn(`person${count}@example.com`, 'wrong')).status).toBe(401)
    }
    const before = await sessionCount()
    const refused = await client.signIn('viewer@example.com')
    expect(refused.status).toBe(429)
    expect((await refused.json()).code).toBe('rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500)
    expect(refused.headers.get('ratelimit-limit')).toBe('10')
    expect(refused.headers.get('ratelimit-remaining')).toBe('0')
    expect(await sessionCount()).toBe(before)
    // Another person, elsewhere, is not locked out by it.
    expect((await newClient().signIn('viewer@example.com')).status).toBe(200)
  })

  test('many at once cannot slip through the limit', async () => {
    const client = newClient()
    const tries = Array.from({ length: 30 }, () => client.signIn('viewer@example.com', 'wrong'))
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
  })

  test('does not count against those who succeed', async () => {
    const client = newClient()
    for (let count = 0; count < 15; count += 1) {
      expect((await client.signIn('viewer@example.com')).status).toBe(200)
    }
  })
})
