import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

// Uses the system's Chromium: Playwright's own browsers are never downloaded.
const installed = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((path) => existsSync(path))
const executablePath = process.env.CHROMIUM_PATH ?? installed

/** The folder of core's tests, if an app has fetched them: packages/plinth/scripts/testing/template-tests.mjs. */
const coreTests = process.env.CORE_TESTS ?? 'packages/plinth/tests'
const testFolders = `{tests,${coreTests}}`

/** Modules whose tests packages/plinth/scripts/testing/template-tests.mjs leaves out. */
const unchanged = process.env.UNCHANGED_MODULES?.split(',') ?? []
const leftOut = [
  ...unchanged.map((id) => `src/app/(${id})/tests/**`),
  ...(process.env.CI === 'true' ? [] : ['**/slow/**']),
  ...(process.env.NIGHTLY === 'true' ? [] : ['**/nightly/**']),
]

/** packages/plinth/scripts/testing/runners.mjs starts the servers. */
export default defineConfig({
  // A module's specs are in its folder. Those in a folder `development` run against the development server.
  testDir: '.',
  testMatch: [`${testFolders}/**/*.spec.ts`, 'src/app/*/tests/**/*.spec.ts'],
  outputDir: 'test-results/e2e',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  workers: 2,
  timeout: 60_000,
  use: {
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        '--no-sandbox',
        '--headless',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [
    {
      name: 'production',
      testIgnore: ['**/development/*.spec.ts', ...leftOut],
      use: { baseURL: process.env.E2E_BASE_URL ?? 'http://127.0.0.1:4100' },
    },
    {
      name: 'development',
      testMatch: '**/development/*.spec.ts',
      testIgnore: leftOut,
      // Pages are compiled when they are first opened.
      expect: { timeout: 20_000 },
      use: { baseURL: process.env.E2E_DEV_BASE_URL ?? 'http://127.0.0.1:4101' },
    },
  ],
})
