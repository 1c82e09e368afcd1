import postgres from 'postgres'
import { seedUsers } from '../seed-users.mjs'
import { signInAdmin } from '../sign-in.mjs'

const users = 10_000
const articles = 200
const pageSize = 25

/** The data that all pages show: users, articles and the sessions of an admin. */
export async function preparePages(databaseUrl) {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  await seedUsers(sql, users)
  await sql`
    insert into articles (title, body, published_at, updated_at)
    select 'Article ' || n, repeat('Some words of the article. ', 40), at, at
    from generate_series(1, ${articles}::int) n, lateral (select now() - n * interval '1 hour') t(at)`
  await sql`vacuum analyze articles`
  const token = await signInAdmin(sql)
  const newest = await sql`
    select id, email, created_at as "createdAt" from users order by created_at desc, id desc`
  await sql.end()
  return {
    token,
    /** The users on the first page. */
    emails: newest.slice(0, pageSize).map(({ email }) => email),
    /** One URL for each user: the page that follows the user. All of them are full. */
    otherPages: newest.slice(0, -pageSize).map(pageAfter),
  }
}

function pageAfter({ id, createdAt }) {
  const cursor = { direction: 'next', sort: 'newest', key: createdAt.toISOString(), id }
  return `/admin/users?cursor=${Buffer.from(JSON.stringify(cursor)).toString('base64url')}`
}
