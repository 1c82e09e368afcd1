import postgres from 'postgres'

const pageSize = 25

const sql = postgres(process.env.DATABASE_URL)

/** The newest users and the total, read from Plinth's tables as Plinth's page does. */
export async function readUsers() {
  const [rows, [{ total }]] = await Promise.all([
    sql`
      select id, email, name, role, created_at as "createdAt" from users
      order by created_at desc, id desc limit ${pageSize + 1}`,
    sql`select coalesce(sum(change), 0)::int as total from user_counts`,
  ])
  return { users: rows.slice(0, pageSize), hasMore: rows.length > pageSize, total }
}
