import { expect } from 'vitest'
import type { newClient } from '#testing/client'
import type { databaseRows } from '#testing/database/database-rows'

type Rows = ReturnType<typeof databaseRows>

type Attempt = {
  client: ReturnType<typeof newClient>
  before: Awaited<ReturnType<Rows['counts']>>
}

/** Redirects with a code, signs no one in, stores nothing and writes one audit event. */
export async function expectRejectedSignIn(
  { counts, lastEvents }: Rows,
  { client, before }: Attempt,
  response: Response,
  { code, ...event }: { code: string } & Record<string, unknown>,
) {
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe(`/sign-in?error=${code}`)
  expect(client.cookies.size).toBe(0)
  expect(await client.session()).toBeNull()
  expect(await counts()).toEqual(before)
  expect(await lastEvents(1)).toMatchObject([
    { action: 'sign_in', outcome: 'failure', ip: client.ip, actorId: null, ...event },
  ])
}
