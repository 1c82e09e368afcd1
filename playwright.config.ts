import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

// Playwright's own browsers are never downloaded: the system's Chromium is used.
const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((path) => existsSync(path))
const executablePath = process.env.CHROMIUM_PATH ?? installed

/** What exists in development alone. */
const inDevelopment = ['primitives.spec.ts', 'development-providers.spec.ts']

/** The servers are started by the caller; see the two addresses below. */
export default defineConfig({
  testDir: 'tests/e2e',
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
      testIgnore: inDevelopment,
      use: { baseURL: process.env.E2E_BASE_URL ?? 'http://127.0.0.1:4100' },
    },
    {
      name: 'development',
      testMatch: inDevelopment,
      use: { baseURL: process.env.E2E_DEV_BASE_URL ?? 'http://127.0.0.1:4101' },
    },
  ],
})
