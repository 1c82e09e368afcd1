import { writeFileSync } from 'node:fs'
import postgres from 'postgres'

const maxUsers = 10_000

/** Creates active sessions within the database; `tokenOf` returns the token of each. */
export async function seedSessions(databaseUrl, count) {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const users = Math.min(maxUsers, count)
  await sql.begin(async (transaction) => {
    await transaction`
      insert into users (email, name, email_verified_at)
      select 'user' || n || '@example.com', 'User ' || n, now()
      from generate_series(1, ${users}::int) n`
    await transaction`
      insert into sessions (token_hash, user_id, expires_at)
      select sha256(lpad(n::text, 43, '0')::bytea), owners.id, now() + interval '30 days'
      from generate_series(1, ${count}::int) n
      join (select id, row_number() over () as position from users) owners
        on owners.position = 1 + n % ${users}::int`
  })
  await sql`vacuum analyze users, sessions`
  await sql.end()
}

/** The same length as a real token. */
export function tokenOf(number) {
  return String(number).padStart(43, '0')
}

/** A wrk script that sends a different session cookie with each request. */
export function writeWrkScript(file, numbers) {
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
