import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { findChromium } from '../../packages/plinth/scripts/services/programs.mjs'
import { temporaryFolder } from './support/project'

test('uses the headless shell rather than the whole browser, unless another is set', () => {
  const folder = temporaryFolder()
  for (const name of ['chromium', 'chromium-headless-shell']) {
    writeFileSync(join(folder, name), '', { mode: 0o755 })
  }
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('CHROMIUM_PATH', '')
  vi.stubEnv('PATH', folder)
  expect(basename(findChromium() ?? '')).toBe('chromium-headless-shell')
  vi.stubEnv('CHROMIUM_PATH', '/opt/browser')
  expect(findChromium()).toBe('/opt/browser')
})
