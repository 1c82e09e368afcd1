import { expect, test } from 'vitest'
import { callAction, randomIp } from '#testing/server/call-action'
import { runningServer } from '#testing/server/running-server'

const app = runningServer({ TRUST_PROXY: '1' })

const send = (fields: Record<string, string>) =>
  callAction(app.url, 'requestPasswordReset', fields, { 'x-forwarded-for': randomIp() })

test('returns the text of a field that the action does not know, but no secret', async () => {
  const result = await send({ emial: 'ann@example.com', newPassword: 'a few words' })
  expect(result).toMatchObject({ code: 'invalid', errors: [{ field: 'email' }] })
  expect(result).toHaveProperty('typed', { emial: 'ann@example.com' })
})

test('returns no text of a known field that the action does not keep', async () => {
  const result = await send({ email: 'no email', callbackUrl: '/home' })
  expect(result).toMatchObject({ ok: false, typed: { email: 'no email' } })
  expect(result).not.toHaveProperty('typed.callbackUrl')
})
