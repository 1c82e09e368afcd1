export const contractTests = ['tests/contract/*.db.test.ts']

/** Those that start a server on PostgreSQL and read no file that it writes. */
export const hostTests = [
  'tests/core/host/slow/fast-path.db.test.ts',
  'tests/core/host/slow/http-server.db.test.ts',
  'tests/core/host/slow/pages.postgres.test.ts',
  'tests/core/host/slow/shutdown-delay.db.test.ts',
  'tests/core/host/nightly/shutdown.db.test.ts',
]
