import { DrizzleAdapter } from '@auth/drizzle-adapter'
import { drizzle } from 'drizzle-orm/postgres-js'
import NextAuth from 'next-auth'
import GitHub from 'next-auth/providers/github'
import postgres from 'postgres'

export const { auth, handlers } = NextAuth({
  adapter: DrizzleAdapter(drizzle(postgres(process.env.DATABASE_URL))),
  providers: [GitHub],
})
