import { parseEnv } from '#config/env'
import { migrate } from '#db/migrate/migrate'
import { openDatabase } from '#db/open'
import { auditEvents } from '#db/schema'

/** Prints the stored events, then writes events and prints each one after its commit. */
const connection = await openDatabase(parseEnv(process.env))
await migrate(connection, [])
const found = await connection.database.select({ action: auditEvents.action }).from(auditEvents)
process.stdout.write(`found ${found.map(({ action }) => action).join(',')};\n`)

for (let count = 0; ; count += 1) {
  const action = `${process.pid}-${count}`
  await connection.database.insert(auditEvents).values({ action, outcome: 'success' })
  process.stdout.write(`wrote ${action};\n`)
}
