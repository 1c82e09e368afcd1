import { writeFileSync } from 'node:fs'
import postgres from 'postgres'

const owners = 10_000

/** So many live sessions, written by the database itself; `tokenOf` says which is which. */
export async function seedSessions(databaseUrl, count) {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const people = Math.min(owners, count)
  await sql.begin(async (transaction) => {
    await transaction`
      insert into users (email, name, email_verified_at)
      select 'person' || n || '@example.com', 'Person ' || n, now()
      from generate_series(1, ${people}::int) n`
    await transaction`
      insert into sessions (token_hash, user_id, expires_at)
      select sha256(lpad(n::text, 43, '0')::bytea), people.id, now() + interval '30 days'
      from generate_series(1, ${count}::int) n
      join (select id, row_number() over () as place from users) people
        on people.place = 1 + n % ${people}::int`
  })
  await sql`vacuum analyze users, sessions`
  await sql.end()
}

/** As long as a real one. */
export function tokenOf(number) {
  return String(number).padStart(43, '0')
}

/** A script for wrk that asks in the name of one session after another. */
export function writeTurns(file, numbers) {
  const tokens = numbers.map((number) => `"authjs.session-token=${tokenOf(number)}"`)
  writeFileSync(
    file,
    `local cookies = { ${tokens.join(', ')} }
local turn = 0
function request()
  turn = turn % #cookies + 1
  return wrk.format("GET", nil, { ["Cookie"] = cookies[turn] })
end
`,
  )
}
