import { betterAuth } from 'better-auth'
import pg from 'pg'

export const auth = betterAuth({
  database: new pg.Pool({ connectionString: process.env.DATABASE_URL }),
  emailAndPassword: { enabled: true },
  // On by default in production; it would reject almost every request of the benchmark.
  rateLimit: { enabled: false },
})
