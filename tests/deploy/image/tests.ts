export const contractTests = ['tests/contract/*.anydb.test.ts']

/** Those that start a server on PostgreSQL and read no file that it writes. */
export const hostTests = [
  'tests/core/host/fast-path.db.test.ts',
  'tests/core/host/http-server.anydb.test.ts',
  'tests/core/host/pages.postgres.test.ts',
  'tests/core/host/shutdown-delay.anydb.test.ts',
  'tests/core/host/shutdown.nightly.anydb.test.ts',
]
