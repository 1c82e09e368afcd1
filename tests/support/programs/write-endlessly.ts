import { migrate } from '@/core/db/migrate'
import { openDatabase } from '@/core/db/open'
import { auditEvents } from '@/core/db/schema'
import { parseEnv } from '@/core/env'

/** Tells what it finds, then writes one event after another and says so after each, until killed. */
const connection = await openDatabase(parseEnv(process.env))
await migrate(connection, [])
const found = await connection.database.select({ action: auditEvents.action }).from(auditEvents)
process.stdout.write(`found ${found.map(({ action }) => action).join(',')};\n`)

for (let count = 0; ; count += 1) {
  const action = `${process.pid}-${count}`
  await connection.database.insert(auditEvents).values({ action, outcome: 'success' })
  process.stdout.write(`wrote ${action};\n`)
}
