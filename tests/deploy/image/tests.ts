export const contractTests = ['tests/contract/*.db.test.ts']

/** The tests that start a server on PostgreSQL and read no file that it writes. */
export const hostTests = [
  'packages/plinth/tests/server/slow/fast-path.db.test.ts',
  'packages/plinth/tests/server/slow/http-server.db.test.ts',
  'packages/plinth/tests/server/slow/pages.postgres.test.ts',
  'packages/plinth/tests/server/slow/shutdown-delay.db.test.ts',
  'packages/plinth/tests/server/nightly/shutdown.db.test.ts',
]
