import { fileURLToPath } from 'node:url'
import { aliases, testingFile } from 'plinth/testing/vitest'
import { defineConfig } from 'vitest/config'
import { areaUnderTest } from './areas.mjs'

const root = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** Database tests run on the embedded database. */
export default defineConfig({
  root: root('.'),
  resolve: { alias: aliases },
  test: {
    include: areaUnderTest().tests,
    isolate: false,
    setupFiles: 'tests/setup.ts',
    // Stryker's setup comes first: a fault is chosen before any code is loaded.
    sequence: { setupFiles: 'list' },
    globalSetup: testingFile('database/migrated-databases'),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    env: { LOG_LEVEL: 'silent', TEST_DATABASE: 'embedded' },
  },
})
