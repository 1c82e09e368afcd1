import type { Sql } from 'postgres'

/** Users `user1@example.com` and so on. The indexes are rebuilt afterwards, which is much faster. */
export async function insertManyUsers(sql: Sql, count: number): Promise<void> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename = 'users' and indexname <> 'users_pkey'`
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`)
  await sql`insert into users (email, name)
    select 'user' || n || '@example.com', 'User ' || n from generate_series(1, ${count}::int) n`
  for (const { definition } of indexes) await sql.unsafe(definition)
  await sql`analyze users`
}
