import { resolve } from 'node:path'
import { aliases, testingFile } from 'plinth/testing/vitest'
import { defineConfig } from 'vitest/config'
import { contractTests, hostTests } from './tests'

/** The tests of the contract and of the host, against the server of TEST_SERVER_COMMAND. */
export default defineConfig({
  root: resolve('.'),
  resolve: {
    alias: [
      { find: /^(#|plinth\/)api\/api$/, replacement: resolve('tests/deploy/image/http-client.ts') },
      ...aliases,
    ],
  },
  test: {
    // The template of the databases is chosen by this name.
    name: 'postgres',
    include: [...contractTests, ...hostTests],
    // That test knows that a request in its own process has no IP address.
    testNamePattern: /^(?!.*only as far as TRUST_PROXY allows)/,
    env: { TEST_DATABASE: 'postgres', LOG_LEVEL: 'silent' },
    globalSetup: testingFile('database/migrated-databases'),
    setupFiles: 'tests/setup.ts',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
  },
})
