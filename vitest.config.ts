import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

const root = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Tests of a running database are run on each database; all others once. */
const onDatabases = ['tests/{core,contract,faults}/**/*.db.test.ts', 'src/**/*.db.test.ts']

const onDatabase = (name: 'embedded' | 'postgres') => ({
  extends: true as const,
  test: {
    name,
    include: onDatabases,
    env: { TEST_DATABASE: name },
    globalSetup: 'tests/support/template-database.ts',
  },
})

export default defineConfig({
  resolve: {
    alias: { '@': root('./src'), 'server-only': root('./tests/support/server-only.ts') },
  },
  test: {
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    env: { LOG_LEVEL: 'silent' },
    projects: [
      {
        extends: true as const,
        test: {
          name: 'once',
          include: ['tests/**/*.test.ts', 'src/**/*.test.ts'],
          exclude: [...configDefaults.exclude, '**/*.db.test.ts'],
        },
      },
      onDatabase('embedded'),
      ...(process.env.TEST_DATABASE_URL ? [onDatabase('postgres')] : []),
    ],
  },
})
