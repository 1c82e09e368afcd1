import { beforeAll, describe, expect, test } from 'vitest'
import { createDemoAccounts } from '#auth/accounts/users'
import { sessions } from '#db/schema'
import { newClient } from '#testing/client'
import { testDatabase } from '#testing/database/database'
import { lastEvent, userIdOf } from '#testing/database/database-rows'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

const sessionCount = () => db.database.$count(sessions)

describe('a failed sign-in', () => {
  test('looks the same for an unknown email and a wrong password', async () => {
    const before = await sessionCount()
    const bodies = []
    for (const email of ['viewer@example.com', 'unknown@example.com', 'not an email']) {
      const response = await newClient().signIn(email, 'wrong password')
      expect(response.status).toBe(401)
      expect(response.headers.getSetCookie()).toEqual([])
      const { requestId, ...body } = await response.json()
      bodies.push(JSON.stringify(body))
    }
    expect(new Set(bodies).size).toBe(1)
    expect(bodies[0]).toContain('"code":"invalid_credentials"')
    expect(await sessionCount()).toBe(before)
  })

  test('is in the audit log without the typed text', async () => {
    await newClient().signIn('viewer@example.com', 'my-other-password')
    const event = await lastEvent(db.database)
    expect(event).toMatchObject({
      action: 'sign_in',
      outcome: 'failure',
      actorId: null,
      targetId: await userIdOf(db.database, 'viewer@example.com'),
    })
    await newClient().signIn('secret-typed-here', 'x')
    expect(JSON.stringify(await lastEvent(db.database))).not.toMatch(
      /secret-typed-here|my-other-password/,
    )
  })

  test('redirects a form back to the sign-in page with its callback URL', async () => {
    const response = await newClient().send('/api/auth/signin', {
      method: 'POST',
      body: 'email=viewer%40example.com&password=wrong&callbackUrl=%2Farticles',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      },
    })
    expect(response.status).toBe(303)
    const location = response.headers.get('location')
    expect(location).toBe('/sign-in?error=invalid_credentials&callbackUrl=%2Farticles')
    const [cookie, ...more] = response.headers.getSetCookie()
    expect(more).toEqual([])
    expect(cookie).toMatch(
      /^plinth\.typed-email=viewer%40example\.com; Max-Age=60; Path=\/; HttpOnly/,
    )
    expect(cookie).not.toContain('wrong')
  })

  test('redirects a form back for every other error', async () => {
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
    const { pathname, searchParams } = new URL(limited.headers.get('location') ?? '', 'http://a')
    expect([pathname, searchParams.get('error')]).toEqual(['/sign-in', 'rate_limited'])
    const seconds = (Number(searchParams.get('retryAt')) - Date.now()) / 1000
    expect(seconds).toBeGreaterThan(500)
    // The clock of the database is estimated.
    expect(seconds).toBeLessThan(610)
  })

  test('names the missing fields', async () => {
    const response = await newClient().post('/api/auth/signin', { email: '', redirect: 'invalid' })
    expect(response.status).toBe(422)
    const { errors } = await response.json()
    expect(errors.map(({ field }: { field: string }) => field)).toEqual([
      'email',
      'password',
      'redirect',
    ])
  })

  test('returns 429 after ten failures from one IP, even for the right password', async () => {
    const client = newClient()
    for (let count = 0; count < 10; count += 1) {
      expect((await client.signIn(`user${count}@example.com`, 'wrong')).status).toBe(401)
    }
    const before = await sessionCount()
    const limited = await client.signIn('viewer@example.com')
    expect(limited.status).toBe(429)
    expect(await limited.json()).toMatchObject({
      code: 'rate_limited',
      detail: expect.stringMatching(/^Too many attempts\. Try again in (10|9) minutes\.$/),
    })
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(500)
    expect(limited.headers.get('ratelimit-limit')).toBe('10')
    expect(limited.headers.get('ratelimit-remaining')).toBe('0')
    expect(await sessionCount()).toBe(before)
    // Another IP is not locked out.
    expect((await newClient().signIn('viewer@example.com')).status).toBe(200)
  })

  test('concurrent attempts do not exceed the limit', async () => {
    const client = newClient()
    const attempts = Array.from({ length: 30 }, () => client.signIn('viewer@example.com', 'wrong'))
    const statuses = (await Promise.all(attempts)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
  })

  test('is counted apart from successful sign-ins', async () => {
    const client = newClient()
    for (let count = 0; count < 15; count += 1) {
      expect((await client.signIn('viewer@example.com')).status).toBe(200)
    }
  })
})
