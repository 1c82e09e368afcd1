import { existsSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config'

type Options = {
  /** Files that run after all others and one at a time, because they measure waits. */
  alone?: readonly string[]
  /** Files that run between both, two at a time: each runs builds and suites of its own. */
  wholeSuites?: readonly string[]
  exclude?: readonly string[]
}

const isEjected = existsSync('packages/plinth/src')

const extension = extname(fileURLToPath(import.meta.url))

/** Beside this file, as source or compiled. */
export function testingFile(name: string): string {
  return fileURLToPath(new URL(`./${name}${extension}`, import.meta.url))
}

/** The paths of tsconfig.json, for Vitest. */
export const aliases = [
  { find: /^@\//, replacement: `${resolve('src')}/` },
  { find: /^@tests\//, replacement: `${resolve('tests')}/` },
  // That package keeps server code out of the browser bundle.
  { find: 'server-only', replacement: testingFile('server-only') },
  ...(isEjected
    ? [{ find: /^(#|plinth\/)/, replacement: `${resolve('packages/plinth/src')}/` }]
    : []),
]

/** The suffix of a test file says where it runs, and a folder in its path when: see AGENTS.md. */
export function vitestConfig(options: Options = {}): ViteUserConfig {
  const { alone = [], wholeSuites = [], exclude = [] } = options
  const nightly = process.env.NIGHTLY === 'true'
  const ci = process.env.CI === 'true'
  const postgres = Boolean(process.env.TEST_DATABASE_URL)
  // The tests of an ejected engine run with those of the app.
  const folders = isEjected ? '{src,tests,packages/plinth/tests}' : '{src,tests}'
  const excluded = [
    ...configDefaults.exclude,
    ...exclude,
    ...(ci ? [] : ['**/slow/**']),
    ...(nightly ? [] : ['**/nightly/**']),
  ]
  const measuring = [
    ...alone,
    `${folders}/**/faults/{slow,nightly}/{failover,session-cache-connections}.test.ts`,
    `${folders}/**/faults/outages/**/nightly/*.test.ts`,
  ]

  const onDatabase = (name: 'embedded' | 'postgres', suffixes: string[]) => ({
    extends: true as const,
    test: {
      name,
      include: [`${folders}/**/*.{${suffixes.join()}}.test.ts`],
      exclude: excluded,
      env: { TEST_DATABASE: name },
      globalSetup: testingFile('database/migrated-databases'),
    },
  })

  return defineConfig({
    resolve: { alias: aliases },
    test: {
      // One more than CI has cores: with two workers a third of the CPU was idle.
      maxWorkers: 3,
      // Compiled once for all projects, and again only what has changed.
      experimental: { fsModuleCache: true },
      // Files of a worker share its process, so that each module is loaded once: what a file sets, it resets.
      isolate: false,
      setupFiles: 'tests/setup.ts',
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
              ...measuring,
              ...wholeSuites,
            ],
          },
        },
        {
          extends: true as const,
          test: {
            name: 'whole suites',
            include: nightly ? [...wholeSuites] : [],
            sequence: { groupOrder: 1 },
            maxWorkers: 2,
          },
        },
        {
          extends: true as const,
          test: {
            name: 'alone',
            include: ci ? measuring : [],
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
}
