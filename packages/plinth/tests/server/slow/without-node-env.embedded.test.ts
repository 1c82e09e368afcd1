import { expect, test } from 'vitest'
import { freshDatabase } from '#testing/database/database'
import { submitForm } from '#testing/server/call-action'
import { startServer } from '#testing/server/server'

// The server that another process manager starts. Empty is unset.
test.each(['', 'development', 'test'])(
  'the built server sends mail with NODE_ENV "%s"',
  async (NODE_ENV) => {
    const fresh = await freshDatabase()
    const server = await startServer({ NODE_ENV, ...fresh.settings, AUTH_URL: '' })
    try {
      const response = await submitForm(`${server.url}/forgot`, { email: 'viewer@example.com' })
      expect(await response.text()).toContain('Check your email')
      await server.waitFor(/"mail (sent|not sent)/)
      expect(server.log()).toContainEqual(
        expect.objectContaining({ msg: 'mail sent', purpose: 'reset_password' }),
      )
    } finally {
      await server.stop()
      await fresh.remove()
    }
  },
)
