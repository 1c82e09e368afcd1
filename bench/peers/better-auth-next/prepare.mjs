import { getMigrations } from 'better-auth/db/migration'
import { auth } from './auth.mjs'

const { runMigrations } = await getMigrations(auth.options)
await runMigrations()

const { headers } = await auth.api.signUpEmail({
  body: { name: 'Ada', email: 'ada@example.com', password: 'only-for-the-benchmark' },
  returnHeaders: true,
})
const [cookie] = headers.getSetCookie()
process.stdout.write(`cookie: ${cookie.split(';')[0]}\n`)
await auth.options.database.end()
