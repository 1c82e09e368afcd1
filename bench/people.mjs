/** Given names of several languages, the frequent ones first: they are drawn unevenly. */
const given =
  'Maria James Wei Fatima Olga Mohammed Anna John Ana Priya Yuki Elena David Amina Lars Sofia Carlos Ingrid Chen Aisha Peter Lucia Omar Hanna Ivan Chiara Kofi Freya Diego Mei Tomasz Leila Søren Zoë André Nadia Hugo Noor Björn Renée Kwame Saoirse Tariq Anneliese Bartholomew Xiomara Thandiwe Quentin Ottoline Zebulon'.split(
    ' ',
  )

/** Family names are put together from these, so that there are some thousands of them. */
const beginnings =
  'Smi Gar Wan Mül Ko Fer Jo Iva Nov Han Sil Ros Li Ber Tan Mor Da Kow Pe Sch Oli Ada Nak Chr Vas Ol Ka Win Hol Zim'.split(
    ' ',
  )
const endings =
  'th cia g ler walski nandez nes nov ak sen va si u ger aka eau vis icz rez neider veira mu agawa istos quez sson dze ston brook mer'.split(
    ' ',
  )

const domains = [
  'example.com',
  'example.org',
  'mail.example.net',
  'post.example',
  'uni.example.edu',
]

/** So many people, made by the database itself, the last of them a moment ago. */
export async function seedPeople(sql, count) {
  // The first of a list far more often than the last.
  const one = (list) => sql`(${list}::text[])[1 + floor(random() * random() * ${list.length})]`
  // An index of parts of words takes many times as long to fill as to make.
  const [{ definition }] = await sql`
    select pg_get_indexdef('users_search_index'::regclass) as definition`
  await sql`drop index users_search_index`
  await sql`
    insert into users (email, name, role, email_verified_at, created_at)
    select
      lower(translate(first || '.' || last, 'øëéöü', 'oeeou')) || n || '@' || ${one(domains)},
      first || ' ' || last,
      case when n % 1000 = 0 then 'admin' when n % 20 = 0 then 'editor' else 'viewer' end,
      now(),
      now() - interval '3 years' * (1 - n::float / ${count})
    from (
      select n, ${one(given)} as first, ${one(beginnings)} || ${one(endings)} as last
      from generate_series(1, ${count}::int) n
    ) people`
  await sql`set maintenance_work_mem = '512MB'`
  await sql.unsafe(definition)
  await sql`vacuum analyze users`
}

/** Of some of them a sign-in in the last thirty days, every tenth of which failed, and a session. */
export async function seedSignIns(sql, count) {
  await sql`
    insert into audit_events (at, action, outcome, actor_id, target_id, address, request_id)
    select
      now() - interval '30 days' * random(), 'sign_in',
      case when random() < 0.1 then 'failure' else 'success' end, id, id::text, '203.0.113.7', 'seed'
    from users limit ${Math.floor(count / 3)}`
  await sql`
    insert into sessions (token_hash, user_id, expires_at)
    select sha256(id::text::bytea), id, now() + interval '20 days' * random()
    from users limit ${Math.floor(count / 5)}`
  await sql`vacuum analyze audit_events, sessions`
}
