import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

const root = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** `*.db.test.ts` runs on each database, `*.postgres.test.ts` on that one alone, all others once. */
const onDatabase = (name: 'embedded' | 'postgres') => ({
  extends: true as const,
  test: {
    name,
    include: [`{src,tests}/**/*.{db,${name}}.test.ts`],
    env: { TEST_DATABASE: name },
    globalSetup: 'tests/support/template-database.ts',
  },
})

/** What needs the registry of packages. */
const onlyInCi = process.env.CI === 'true' ? [] : ['**/*.ci.test.ts']

export default defineConfig({
  resolve: {
    alias: {
      '@': root('./src'),
      '@tests': root('./tests'),
      'server-only': root('./tests/support/server-only.ts'),
    },
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
          include: ['{src,tests}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, '**/*.{db,embedded,postgres}.test.ts', ...onlyInCi],
        },
      },
      onDatabase('embedded'),
      ...(process.env.TEST_DATABASE_URL ? [onDatabase('postgres')] : []),
    ],
  },
})
