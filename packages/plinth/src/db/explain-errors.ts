import { codeOf, reasonOf, sqlState } from '#db/errors'

type Explanation = { problem: string; remedy: string }

/** PgBouncer and what is built on it; Amazon RDS Proxy. */
const parameterRefusal = /unsupported startup parameter|RDS Proxy.*support/i

/** For the code and the message of an error, in this order. */
const connectErrors: readonly [RegExp, problem: string, remedy: string][] = [
  [
    parameterRefusal,
    'the connection pooler does not accept a parameter of the URL',
    'Remove it from the URL.',
  ],
  [
    /^28.*(no encryption|SSL off)|connection is insecure/i,
    'the server requires TLS',
    'Add ?sslmode=require to the URL.',
  ],
  [/^28.*pg_hba/, 'the server does not accept this host', 'Allow it in pg_hba.conf.'],
  [/^3D000|no such database/, 'the database does not exist', 'Create it, or correct its name.'],
  [
    /^28|no such user|authentication failed/,
    'the server refused the user',
    'Correct the user name and the password.',
  ],
  [/^25006/, 'no server takes writes', 'Set the URL of the primary, or promote a standby.'],
  [
    /^55P03/,
    'another transaction holds a lock',
    'End that transaction; pg_stat_activity lists it.',
  ],
  [
    /^57014/,
    'a statement took too long',
    'Check the load of the database, or raise DATABASE_TIMEOUT_MS.',
  ],
  [/^42501/, 'the user may not connect', 'Grant it CONNECT on the database.'],
  [/^(ENOTFOUND|EAI_AGAIN)/, 'the host name cannot be resolved', 'Correct the host.'],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID/,
    'the certificate of the server is for another name',
    'Use the name in the certificate as the host.',
  ],
  [
    /^\S*(CERT|VERIFY)/,
    'the certificate of the server is not trusted',
    'Set NODE_EXTRA_CA_CERTS to the file of its certificate authority.',
  ],
  [/TLS|SSL/, 'the server does not offer TLS', 'Turn it on, or remove sslmode from the URL.'],
]

/** PgBouncer reports these with the code of a lost connection, but waiting does not help. */
const refusals =
  /unsupported startup parameter|no such (database|user)|password authentication failed|declined TLS/

export function isRefusal(error: unknown): boolean {
  return refusals.test(reasonOf(error))
}

export function isParameterRefusal(error: unknown): boolean {
  return parameterRefusal.test(reasonOf(error))
}

/** Names the setting and never its value, which contains the password. */
export function explainConnectError(error: unknown, setting: string): Explanation {
  const reason = reasonOf(error)
  const described = `${codeOf(error)} ${reason}`
  const [, problem, remedy] = connectErrors.find(([pattern]) => pattern.test(described)) ?? [
    undefined,
    'the database is unavailable',
    'Check that it runs, and check host and port.',
  ]
  return { problem: `${setting}: ${problem} (${reason}).`, remedy }
}

/** Something that the migration creates exists already: a table or index, a column, a function. */
const duplicates = new Set(['42P07', '42701', '42710', '42723'])

/** Features, data, constraints, syntax, names and functions: not the state of the server. */
const isOfStatement = /^(0A|2[1-4]|25001|42|P0|PL)/

/** Undefined for an error that the operator cannot fix. `isFirst`: none was applied before. */
export function explainMigrationError(error: unknown, isFirst: boolean): Explanation | undefined {
  const state = sqlState(error) ?? ''
  const problem = `${reasonOf(error)}.`
  if (duplicates.has(state)) {
    const remedy = isFirst
      ? 'The database belongs to another application. Use an empty database.'
      : 'Rename it in the migration, or drop the one in the database.'
    return { problem, remedy }
  }
  if (state === '42501') {
    return { problem, remedy: 'Make the user of DATABASE_URL the owner of the database.' }
  }
  if (state === '25006') {
    return { problem, remedy: 'Set DATABASE_URL to the primary server.' }
  }
  return isOfStatement.test(state) ? { problem, remedy: 'Correct the migration.' } : undefined
}
