import { sampleSource } from './samples.mjs'

export function apiTestSource(model) {
  const { many, one, path, shared, title, fields } = model
  const unsafe = fields.find((field) => field.unsafe)
  return `import { newClient, testDatabase } from 'plinth/testing'
import { beforeAll, expect, test } from 'vitest'
import { createDemoAccounts } from 'plinth/auth/accounts/users'

const db = testDatabase()

const sample = ${sampleSource(model)}

beforeAll(() => createDemoAccounts(db.database))

async function signedIn(role: 'viewer' | 'editor' | 'admin') {
  const client = newClient()
  await client.signIn(\`\${role}@example.com\`)
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await client.send(\`/api${path}\${path}\`, {
      method,
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  return send
}

test('creates, reads, replaces and deletes', async () => {
  const send = await signedIn('${shared ? 'admin' : 'editor'}')
  const created = await send('POST', '', sample)
  expect(created).toMatchObject({ status: 201, body: { version: 1, ${title.property}: sample.${title.property} } })
  const { id } = created.body
  expect(await send('GET', \`/\${id}\`)).toEqual({ status: 200, body: created.body })
  const replaced = await send('PUT', \`/\${id}\`, { ...sample, version: 1 })
  expect(replaced).toMatchObject({ status: 200, body: { id, version: 2 } })
  const outdated = await send('PUT', \`/\${id}\`, { ...sample, version: 1 })
  expect(outdated).toMatchObject({ status: 409, body: { code: 'conflict' } })
  expect(await send('DELETE', \`/\${id}\`)).toEqual({ status: 204, body: undefined })
  for (const gone of [await send('GET', \`/\${id}\`), await send('DELETE', \`/\${id}\`)]) {
    expect(gone).toMatchObject({ status: 404, body: { code: 'not_found' } })
  }
})

test('lists in pages', async () => {
  const send = await signedIn('${shared ? 'editor' : 'viewer'}')
  await send('POST', '', sample)
  await send('POST', '', sample)
  const first = await send('GET', '?limit=1')
  expect(first.body.${many.camel}).toHaveLength(1)
  const second = await send('GET', \`?limit=1&cursor=\${first.body.nextCursor}\`)
  expect(second.body.${many.camel}).toHaveLength(1)
  expect(second.body.${many.camel}[0].id).not.toBe(first.body.${many.camel}[0].id)
})

test('names the invalid fields and stores nothing', async () => {
  const send = await signedIn('editor')
  const before = await send('GET', '')
  const invalid = await send('POST', '', { ...sample, ${title.property}: null })
  expect(invalid).toMatchObject({
    status: 422,
    body: { code: 'validation_failed', errors: [{ field: '${title.property}' }] },
  })
${unsafe ? `  const unsafe = await send('POST', '', { ...sample, ${unsafe.property}: '${unsafe.unsafe}' })\n  expect(unsafe).toMatchObject({ status: 422, body: { errors: [{ field: '${unsafe.property}' }] } })\n` : ''}  expect(await send('GET', '')).toEqual(before)
})

test('requires a session', async () => {
  const anonymous = newClient()
  expect((await anonymous.send('/api${path}')).status).toBe(401)
  expect((await anonymous.post('/api${path}', sample)).status).toBe(401)
})
${shared ? forbidden() : privateRows(one)}`
}

function forbidden() {
  return `
test('a viewer reads and does not write', async () => {
  const send = await signedIn('viewer')
  expect((await send('GET', '')).status).toBe(200)
  expect(await send('POST', '', sample)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
})
`
}

function privateRows(one) {
  return `
test('hides the ${one.text} of another user', async () => {
  const [viewer, editor, admin] = [
    await signedIn('viewer'),
    await signedIn('editor'),
    await signedIn('admin'),
  ]
  const { body } = await viewer('POST', '', sample)
  expect((await editor('GET', \`/\${body.id}\`)).status).toBe(404)
  expect((await editor('DELETE', \`/\${body.id}\`)).status).toBe(404)
  expect((await admin('GET', \`/\${body.id}\`)).status).toBe(200)
  expect((await viewer('GET', \`/\${body.id}\`)).status).toBe(200)
})
`
}
