import { expect, test } from 'vitest'
import { isStartupError, parseEnv } from '#config/env'
import { openDatabase } from '#db/open'
import { freshDatabase } from '#testing/database/database'

test.each(['127.0.0.1', 'localhost'])(
  'a start ends with one line if %s has no TLS and the URL requires it',
  async (host) => {
    const { settings, remove } = await freshDatabase()
    const url = new URL(settings.DATABASE_URL ?? '')
    url.host = `${host}:${url.port}`
    for (const mode of ['require', 'verify-ca', 'verify-full']) {
      url.searchParams.set('sslmode', mode)
      const attempt = openDatabase(parseEnv({ ...settings, DATABASE_URL: url.href }))
      const error = await attempt.catch((thrown: unknown) => thrown)
      expect(isStartupError(error) ? error.message : error).toMatch(
        /^DATABASE_URL: the server does not offer TLS \(.*\)\. Turn it on, or remove sslmode from the URL\.$/,
      )
    }
    await remove()
  },
)
