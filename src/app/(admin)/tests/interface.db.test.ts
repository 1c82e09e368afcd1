import { newClient } from '@tests/support/client'
import { testDatabase } from '@tests/support/database'
import { beforeAll, expect, test } from 'vitest'
import { createDemoAccounts } from '@/core/auth/demo-accounts'
import { users } from '@/core/db/schema'

const db = testDatabase()

beforeAll(async () => {
  await createDemoAccounts(db.database)
  const people = Array.from({ length: 60 }, (_, index) => ({
    email: `reader-${String(index).padStart(2, '0')}@example.com`,
    name: `Reader ${index}`,
    role: index % 6 ? ('viewer' as const) : ('editor' as const),
  }))
  await db.database.insert(users).values(people)
})

async function asAdmin() {
  const client = newClient()
  await client.signIn('admin@example.com')
  return async (query = '') => {
    const answer = await client.send(`/api/demo/admin/users${query}`)
    return { status: answer.status, body: await answer.json() }
  }
}

test('a page of people, each with five fields and no other', async () => {
  const ask = await asAdmin()
  const { status, body } = await ask()
  expect(status).toBe(200)
  expect(Object.keys(body).sort()).toEqual(['nextCursor', 'users'])
  expect(body.users).toHaveLength(25)
  for (const user of body.users) {
    expect(Object.keys(user).sort()).toEqual(['createdAt', 'email', 'id', 'name', 'role'])
    expect(user.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  }
})

test('the cursor leads through all of them, and is null at the end', async () => {
  const ask = await asAdmin()
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const { body } = await ask(`?limit=20${cursor ? `&cursor=${cursor}` : ''}`)
    seen.push(...body.users.map(({ id }: { id: string }) => id))
    cursor = body.nextCursor
  } while (cursor !== null)
  expect(seen).toHaveLength(63)
  expect(new Set(seen).size).toBe(63)
})

test('by a part of the name or the address, and by role', async () => {
  const ask = await asAdmin()
  expect((await ask('?query=READER-0')).body.users).toHaveLength(10)
  expect((await ask('?query=reader&role=editor&limit=100')).body.users).toHaveLength(10)
  expect((await ask('?query=Demo%20Vie')).body.users).toMatchObject([{ role: 'viewer' }])
  expect((await ask('?role=admin')).body).toMatchObject({
    users: [{ email: 'admin@example.com' }],
    nextCursor: null,
  })
})

test('what is malformed is 422 and named', async () => {
  const ask = await asAdmin()
  const { body } = await ask('?sort=email&limit=5')
  const wrong = [
    ['limit', '?limit=0'],
    ['limit', '?limit=101'],
    ['limit', '?limit=ten'],
    ['limit', '?limit=1.5'],
    ['limit', '?limit=-1'],
    ['role', '?role=king'],
    ['sort', '?sort=random'],
    ['cursor', '?cursor=x'],
    ['cursor', '?cursor='],
    ['cursor', `?cursor=${body.nextCursor}`],
    ['query', `?query=${'x'.repeat(201)}`],
    ['query', '?query=a%00b'],
  ]
  for (const [field, query] of wrong) {
    const { status, body } = await ask(query)
    expect(status, query).toBe(422)
    expect(body.errors[0].field, query).toBe(field)
  }
})

test('nobody is 401, whoever is no admin 403, and neither learns anything', async () => {
  expect((await newClient().send('/api/demo/admin/users')).status).toBe(401)
  for (const role of ['viewer', 'editor']) {
    const client = newClient()
    await client.signIn(`${role}@example.com`)
    const answer = await client.send('/api/demo/admin/users')
    expect(answer.status).toBe(403)
    expect(await answer.text()).not.toContain('@example.com')
  }
})
