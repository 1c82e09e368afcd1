import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { migrate } from '#db/migrate/migrate'
import { freshDatabase, openFresh } from '#testing/database/database'
import { administer } from '#testing/database/postgres-server'

test('names the missing privilege of the user who migrates, and the remedy', async () => {
  const fresh = await freshDatabase('empty')
  const role = `plinth_test_${randomBytes(6).toString('hex')}`
  await administer(`create role ${role} login password 'hunter2'`)
  const url = new URL(fresh.settings.DATABASE_URL ?? '')
  Object.assign(url, { username: role, password: 'hunter2' })
  const connection = await openFresh({ ...fresh, settings: { DATABASE_URL: url.href } })
  try {
    await expect(migrate(connection, [])).rejects.toMatchObject({
      name: 'StartupError',
      message:
        'Migration core failed: permission denied for schema public. Make the user of DATABASE_URL the owner of the database. Nothing was changed.',
    })
  } finally {
    await connection.close()
    await fresh.remove()
    await administer(`drop role ${role}`)
  }
})
