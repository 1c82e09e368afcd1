import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#testing/database/database'
import { run } from '#testing/program'
import { freePort } from '#testing/server/server'
import { demoPassword } from '#universal/users'
import { nextBin } from '../../../scripts/paths.mjs'

let fresh: FreshDatabase
let url: string
let stop: () => Promise<unknown>

beforeAll(async () => {
  fresh = await freshDatabase()
  const port = String(await freePort())
  const server = run(process.execPath, [nextBin, 'start', '-p', port, '-H', '127.0.0.1'], {
    ...fresh.settings,
    NODE_ENV: 'production',
    PORT: port,
  })
  url = `http://127.0.0.1:${port}`
  stop = () => {
    server.child.kill('SIGTERM')
    return server.exited
  }
  await server.waitFor(/Ready in/)
})

afterAll(async () => {
  await stop()
  await fresh.remove()
})

test('a host that runs Next itself serves the API, pages and sign-in', async () => {
  expect(await (await fetch(`${url}/api/health`)).json()).toEqual({ status: 'ok' })
  expect(await (await fetch(`${url}/sign-in`)).text()).toContain('Sign in')
  const signedIn = await fetch(`${url}/api/auth/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: 'viewer@example.com',
      password: demoPassword,
      transport: 'bearer',
    }),
  })
  const { token } = await signedIn.json()
  const session = await fetch(`${url}/api/auth/session`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(await session.json()).toMatchObject({ user: { email: 'viewer@example.com' } })
})
