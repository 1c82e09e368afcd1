import { createDemoAccounts } from 'plinth/auth/accounts/users'
import { users } from 'plinth/db/schema'
import { newClient, testDatabase } from 'plinth/testing'
import { beforeAll, expect, test } from 'vitest'

const db = testDatabase()

beforeAll(async () => {
  await createDemoAccounts(db.database)
  const readers = Array.from({ length: 60 }, (_, index) => ({
    email: `reader-${String(index).padStart(2, '0')}@example.com`,
    name: `Reader ${index}`,
    role: index % 6 ? ('viewer' as const) : ('editor' as const),
  }))
  await db.database.insert(users).values(readers)
})

async function adminClient() {
  const client = newClient()
  await client.signIn('admin@example.com')
  return async (query = '') => {
    const response = await client.send(`/api/demo/admin/users${query}`)
    return { status: response.status, body: await response.json() }
  }
}

test('returns a page of users with exactly five fields each', async () => {
  const list = await adminClient()
  const { status, body } = await list()
  expect(status).toBe(200)
  expect(Object.keys(body).sort()).toEqual(['nextCursor', 'users'])
  expect(body.users).toHaveLength(25)
  for (const user of body.users) {
    expect(Object.keys(user).sort()).toEqual(['createdAt', 'email', 'id', 'name', 'role'])
    expect(user.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  }
})

test('pages through all users with the cursor, which is null at the end', async () => {
  const list = await adminClient()
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const { body } = await list(`?limit=20${cursor ? `&cursor=${cursor}` : ''}`)
    seen.push(...body.users.map(({ id }: { id: string }) => id))
    cursor = body.nextCursor
  } while (cursor !== null)
  expect(seen).toHaveLength(63)
  expect(new Set(seen).size).toBe(63)
})

test('filters by a part of the name or email, and by role', async () => {
  const list = await adminClient()
  expect((await list('?query=READER-0')).body.users).toHaveLength(10)
  expect((await list('?query=reader&role=editor&limit=100')).body.users).toHaveLength(10)
  expect((await list('?query=Demo%20Vie')).body.users).toMatchObject([{ role: 'viewer' }])
  expect((await list('?role=admin')).body).toMatchObject({
    users: [{ email: 'admin@example.com' }],
    nextCursor: null,
  })
})

test('returns 422 and names an invalid field', async () => {
  const list = await adminClient()
  const { body } = await list('?sort=email&limit=5')
  const invalid = [
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
  for (const [field, query] of invalid) {
    const { status, body } = await list(query)
    expect(status, query).toBe(422)
    expect(body.errors[0].field, query).toBe(field)
  }
})

test('returns 401 or 403 without data to callers who are not admins', async () => {
  expect((await newClient().send('/api/demo/admin/users')).status).toBe(401)
  for (const role of ['viewer', 'editor']) {
    const client = newClient()
    await client.signIn(`${role}@example.com`)
    const response = await client.send('/api/demo/admin/users')
    expect(response.status).toBe(403)
    expect(await response.text()).not.toContain('@example.com')
  }
})
