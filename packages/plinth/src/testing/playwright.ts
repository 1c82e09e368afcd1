import { existsSync } from 'node:fs'
import { defineConfig, type PlaywrightTestConfig } from '@playwright/test'

// Uses the system's Chromium: Playwright's own browsers are never downloaded.
const installed = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((path) => existsSync(path))
const executablePath = process.env.CHROMIUM_PATH ?? installed

/** `npm test` starts the servers. */
export function playwrightConfig(): PlaywrightTestConfig {
  const leftOut = [
    ...(process.env.CI === 'true' ? [] : ['**/slow/**']),
    ...(process.env.NIGHTLY === 'true' ? [] : ['**/nightly/**']),
  ]
  return defineConfig({
    testDir: process.cwd(),
    // The specs of an ejected engine run with those of the app.
    testMatch: ['{tests,packages/plinth/tests}/**/*.spec.ts', 'src/app/*/tests/**/*.spec.ts'],
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
        // Pages that only the development server has.
        name: 'development',
        testMatch: '**/development/*.spec.ts',
        testIgnore: leftOut,
        // Pages are compiled when they are first opened.
        expect: { timeout: 20_000 },
        use: { baseURL: process.env.E2E_DEV_BASE_URL ?? 'http://127.0.0.1:4101' },
      },
    ],
  })
}
