import { configDefaults, defineConfig } from 'vitest/config'
import { aliases } from './tests/support/aliases'

const nightly = process.env.NIGHTLY === 'true'
const ci = process.env.CI === 'true'
const postgres = Boolean(process.env.TEST_DATABASE_URL)

/** The folder of core's tests, if an app has fetched them: packages/plinth/scripts/testing/template-tests.mjs. */
const coreTests = process.env.CORE_TESTS ?? 'packages/plinth/tests'
const folders = `{src,tests,${coreTests}}`

/** Modules whose tests are left out. */
const unchanged = process.env.UNCHANGED_MODULES?.split(',') ?? []
const excluded = [
  ...configDefaults.exclude,
  ...unchanged.map((id) => `src/app/\\(${id}\\)/tests/**`),
  ...(ci ? [] : ['**/slow/**']),
  ...(nightly ? [] : ['**/nightly/**']),
]

/** The suffix of a test file says where it runs, and a folder in its path when: see AGENTS.md. */
const onDatabase = (name: 'embedded' | 'postgres', suffixes: string[]) => ({
  extends: true as const,
  test: {
    name,
    include: [`${folders}/**/*.{${suffixes.join()}}.test.ts`],
    exclude: excluded,
    env: { TEST_DATABASE: name },
    globalSetup: 'tests/support/template-database.ts',
  },
})

/** After all others and one at a time, because they measure waits. */
const alone = [
  'tests/{attack,cluster}/nightly/*.test.ts',
  `${folders}/**/faults/{slow,nightly}/{failover,session-cache-connections}.test.ts`,
  `${folders}/**/faults/outages/**/nightly/*.test.ts`,
]

/** Between both, two at a time: each runs builds and suites of its own. */
const wholeSuites = [
  'tests/cli/nightly/{combinations,created-app}.test.ts',
  'tests/deploy/nightly/image.test.ts',
  'tests/docs/nightly/{recipes,tutorial}.test.ts',
  'tests/scripts/nightly/clean-clone.test.ts',
]

export default defineConfig({
  resolve: { alias: aliases },
  test: {
    // One more than CI has cores: with two workers a third of the CPU was idle.
    maxWorkers: 3,
    // Compiled once for all projects, and again only what has changed.
    experimental: { fsModuleCache: true },
    // Files of a worker share its process, so that each module is loaded once: what a file sets, it resets.
    isolate: false,
    setupFiles: 'tests/support/shared-process.ts',
    // Only a test that hangs takes longer. A busy machine makes each of them several times slower.
    testTimeout: 120_000,
    hookTimeout: 180_000,
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
            '**/*.{db,embedded,postgres}.test.ts',
            ...alone,
            ...wholeSuites,
            // The whole run at night has all that the sample has.
            ...(nightly ? ['tests/attack/sample.test.ts'] : []),
          ],
        },
      },
      {
        extends: true as const,
        test: {
          name: 'whole suites',
          include: nightly ? wholeSuites : [],
          sequence: { groupOrder: 1 },
          maxWorkers: 2,
        },
      },
      {
        extends: true as const,
        test: {
          name: 'alone',
          include: ci ? alone : [],
          exclude: excluded,
          sequence: { groupOrder: 2 },
          maxWorkers: 1,
        },
      },
      onDatabase('embedded', ci || !postgres ? ['embedded', 'db'] : ['embedded']),
      ...(postgres ? [onDatabase('postgres', ['postgres', 'db'])] : []),
    ],
  },
})
