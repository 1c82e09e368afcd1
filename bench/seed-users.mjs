/** Given names of several languages. Names at the start are used more often. */
const givenNames =
  'Maria James Wei Fatima Olga Mohammed Anna John Ana Priya Yuki Elena David Amina Lars Sofia Carlos Ingrid Chen Aisha Peter Lucia Omar Hanna Ivan Chiara Kofi Freya Diego Mei Tomasz Leila Søren Zoë André Nadia Hugo Noor Björn Renée Kwame Saoirse Tariq Anneliese Bartholomew Xiomara Thandiwe Quentin Ottoline Zebulon'.split(
    ' ',
  )

/** Family names are combined from these, which gives about a thousand. */
const familyNameStarts =
  'Smi Gar Wan Mül Ko Fer Jo Iva Nov Han Sil Ros Li Ber Tan Mor Da Kow Pe Sch Oli Ada Nak Chr Vas Ol Ka Win Hol Zim'.split(
    ' ',
  )
const familyNameEnds =
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

/** Creates users within the database, with creation dates up to now. */
export async function seedUsers(sql, count) {
  // Picks entries at the start of a list more often.
  const pick = (list) => sql`(${list}::text[])[1 + floor(random() * random() * ${list.length})]`
  // Creating the trigram index after the insert is many times faster than updating it.
  const [{ definition }] = await sql`
    select pg_get_indexdef('users_search_index'::regclass) as definition`
  await sql`drop index users_search_index`
  await sql`
    insert into users (email, name, role, email_verified_at, created_at)
    select
      lower(translate(first || '.' || last, 'øëéöü', 'oeeou')) || n || '@' || ${pick(domains)},
      first || ' ' || last,
      case when n % 1000 = 0 then 'admin' when n % 20 = 0 then 'editor' else 'viewer' end,
      now(),
      now() - interval '3 years' * (1 - n::float / ${count})
    from (
      select n, ${pick(givenNames)} as first, ${pick(familyNameStarts)} || ${pick(familyNameEnds)} as last
      from generate_series(1, ${count}::int) n
    ) names`
  await sql`set maintenance_work_mem = '512MB'`
  await sql.unsafe(definition)
  await sql`vacuum analyze users`
}

/** Sign-ins of the last thirty days for a third of the users, 10 % failed; sessions for a fifth. */
export async function seedSignIns(sql, count) {
  await sql`
    insert into audit_events (at, action, outcome, actor_id, target_id, ip, request_id)
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
