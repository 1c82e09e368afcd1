import { sampleSource } from './samples.mjs'

export function authorizationTestSource(model) {
  const { many, one, shared, creatorId } = model
  return `import { callAction, outcomeOf, runningServer } from 'plinth/testing/server'
import { allCallers, type EffectiveRole } from 'plinth/testing'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { auditEvents, users } from 'plinth/db/schema'
import { ${one.camel}Fields } from '../fields'
import { ${many.camel} } from '../schema'

const app = runningServer()

const id = '6e7c9d0e-54b9-4a5c-9d75-0c6f0b1f4a11'

const sample = ${sampleSource(model, { user: 'permanent@example.com' })}

beforeEach(async () => {
  const { database } = app
  await database.delete(${many.camel})
  // A permanent admin, so that the admins of the matrix can be demoted and deleted.
  await database
    .insert(users)
    .values({ email: 'permanent@example.com', name: 'Permanent admin', role: 'admin' })
    .onConflictDoNothing()
  const [permanent] = await database
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, 'permanent@example.com'))
  const { ${storedValues(model).names}...values } = z.object(${one.camel}Fields).parse(sample)
  await database.insert(${many.camel}).values({ id, ...values, ${storedValues(model).values}${creatorId}: permanent?.id ?? '' })
})

type Expected<Value> = Record<EffectiveRole, Value>

${shared ? sharedMatrix(model) : ownedMatrix(model)}
describe.each(allCallers)('$caller by $by', ({ effectiveRole, authenticate }) => {
  test.each(Object.entries(actions))('action %s', async (name, { input, expected }) => {
    const headers = await authenticate(app.database)
    const stored = () => app.database.select().from(${many.camel}).orderBy(${many.camel}.id)
    const before = await stored()
    const events = await app.database.$count(auditEvents)
    const outcome = outcomeOf(await callAction(app.url, name, input, headers))
    expect(outcome).toBe(expected[effectiveRole])
    if (outcome === 'done') return expect(await stored()).not.toEqual(before)
    expect(await stored()).toEqual(before)
    expect(await app.database.$count(auditEvents)).toBe(events + 1)
  })

  test.each(Object.entries(pages))('page %s', async (path, expected) => {
    const headers = await authenticate(app.database)
    const response = await fetch(app.url + path, { headers, redirect: 'manual' })
    expect(response.status).toBe(expected[effectiveRole])
    if (response.status === 307) {
      const query = new URLSearchParams({ callbackUrl: path })
      expect(response.headers.get('location')).toBe(\`/sign-in?\${query}\`)
    }
  })
})
`
}

/** A user is typed as an email; the row of the test has none. */
function storedValues({ users }) {
  return {
    names: users.map(({ property }) => `${property}: _${property}, `).join(''),
    values: '',
  }
}

function ownedMatrix({ one, path }) {
  return `/** The ${one.text} belongs to another user. */
const actions: Record<string, { input: object; expected: Expected<string> }> = {
  create${one.pascal}: {
    input: sample,
    expected: { anonymous: 'unauthenticated', viewer: 'done', editor: 'done', admin: 'done' },
  },
  save${one.pascal}: { input: { id, version: 1, ...sample }, expected: others() },
  delete${one.pascal}: { input: { id }, expected: others() },
}

function others(): Expected<string> {
  return { anonymous: 'unauthenticated', viewer: 'not_found', editor: 'not_found', admin: 'not_found' }
}

const pages: Record<string, Expected<number>> = {
  '${path}': { anonymous: 307, viewer: 200, editor: 200, admin: 200 },
  '${path}/new': { anonymous: 307, viewer: 200, editor: 200, admin: 200 },
  [\`${path}/\${id}\`]: { anonymous: 307, viewer: 404, editor: 404, admin: 200 },
  [\`${path}/\${id}/edit\`]: { anonymous: 307, viewer: 404, editor: 404, admin: 404 },
}
`
}

function sharedMatrix({ one, path }) {
  return `const writers: Expected<string> = {
  anonymous: 'unauthenticated',
  viewer: 'forbidden',
  editor: 'done',
  admin: 'done',
}

const actions: Record<string, { input: object; expected: Expected<string> }> = {
  create${one.pascal}: { input: sample, expected: writers },
  save${one.pascal}: { input: { id, version: 1, ...sample }, expected: writers },
  delete${one.pascal}: { input: { id }, expected: { ...writers, editor: 'forbidden' } },
}

const pages: Record<string, Expected<number>> = {
  '${path}': { anonymous: 307, viewer: 200, editor: 200, admin: 200 },
  '${path}/new': { anonymous: 307, viewer: 403, editor: 200, admin: 200 },
  [\`${path}/\${id}\`]: { anonymous: 307, viewer: 200, editor: 200, admin: 200 },
  [\`${path}/\${id}/edit\`]: { anonymous: 307, viewer: 403, editor: 200, admin: 200 },
}
`
}
