import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

const root = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const nightly = process.env.NIGHTLY === 'true'
const ci = process.env.CI === 'true'

/** The folder of core's tests, if an app has fetched them: scripts/testing/template-tests.mjs. */
const coreTests = process.env.CORE_TESTS
const folders = coreTests ? `{src,tests,${coreTests}}` : '{src,tests}'

/** Modules whose tests are left out. */
const unchanged = process.env.UNCHANGED_MODULES?.split(',') ?? []
const excluded = [
  ...configDefaults.exclude,
  ...unchanged.map((id) => `src/app/\\(${id}\\)/tests/**`),
]

/**
 * The suffix of a test file says where it runs:
 * - `.db.test.ts` on both databases, in an app on PostgreSQL if it is installed, else embedded;
 * - `.anydb.test.ts` on PostgreSQL if it is installed, else on the embedded one, and at night on both:
 *   it does not depend on the database;
 * - `.embedded.test.ts` and `.postgres.test.ts` on that one;
 * - `.ci.test.ts` once, in CI, and `.nightly.test.ts` once, at night: they take long;
 * - `.nightly.db.test.ts` and so on there, at night;
 * - `.test.ts` once.
 */
const onDatabase = (name: 'embedded' | 'postgres', suffixes: string[]) => ({
  extends: true as const,
  test: {
    name,
    include: [`${folders}/**/*.{${suffixes.join()}}.test.ts`],
    exclude: [...excluded, ...(nightly ? [] : ['**/*.nightly.*.test.ts'])],
    env: { TEST_DATABASE: name },
    globalSetup: 'tests/support/template-database.ts',
  },
})

/** After all others and one at a time, because they measure waits. */
const alone = [
  'tests/{attack,cluster}/*.{ci,nightly}.test.ts',
  `${folders}/**/faults/{failover,session-cache-connections}.{ci,nightly}.test.ts`,
  `${folders}/**/faults/outages/**/*.nightly.test.ts`,
]

/** One at a time, between both: each runs builds and suites of its own, which take both cores. */
const wholeSuites = [
  'tests/cli/{combinations,created-app}.nightly.test.ts',
  'tests/deploy/image.nightly.test.ts',
  'tests/docs/{recipes,tutorial}.nightly.test.ts',
  'tests/scripts/clean-clone.nightly.test.ts',
]

const postgres = Boolean(process.env.TEST_DATABASE_URL)
/** An app leaves the differences between the databases to the template's tests. */
const onOne = existsSync(root('./plinth.json')) && !coreTests && !nightly
const onEmbedded = [
  'embedded',
  ...(onOne && postgres ? [] : ['db']),
  ...(nightly || !postgres ? ['anydb'] : []),
]

export default defineConfig({
  resolve: {
    alias: {
      '@': root('./src'),
      '@tests': root('./tests'),
      'server-only': root('./tests/support/server-only.ts'),
    },
  },
  test: {
    // One more than CI has cores: with two workers a third of the CPU was idle.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A busy machine is no failure: tests of a limit measure the wait themselves.
    expect: { poll: { timeout: 15_000 } },
    env: { LOG_LEVEL: 'silent' },
    projects: [
      {
        extends: true as const,
        test: {
          name: 'once',
          include: [`${folders}/**/*.test.ts`],
          exclude: [
            ...excluded,
            '**/*.{db,anydb,embedded,postgres}.test.ts',
            ...alone,
            ...wholeSuites,
            ...(ci ? [] : ['**/*.ci.test.ts']),
            ...(nightly ? [] : ['**/*.nightly.test.ts']),
          ],
        },
      },
      {
        extends: true as const,
        test: {
          name: 'whole suites',
          include: nightly ? wholeSuites : [],
          sequence: { groupOrder: 1 },
          maxWorkers: 1,
        },
      },
      {
        extends: true as const,
        test: {
          name: 'alone',
          include: ci ? alone : [],
          // The whole run of a suite has all that its short one has.
          exclude: [nightly ? 'tests/attack/*.ci.test.ts' : '**/*.nightly.test.ts'],
          sequence: { groupOrder: 2 },
          maxWorkers: 1,
        },
      },
      onDatabase('embedded', onEmbedded),
      ...(postgres ? [onDatabase('postgres', ['db', 'anydb', 'postgres'])] : []),
    ],
  },
})
