import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterFile } from 'plinth/testing'
import { expect } from 'vitest'
import { createProject, openProject, temporaryFolder } from './project'
import { run } from './run'

let first: Promise<string> | undefined

/** An installed and built project. It is built once per test file, then copied for each test. */
export async function createInstalledProject() {
  first ??= build()
  const folder = temporaryFolder()
  cpSync(await first, folder, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
  })
  return openProject(folder)
}

async function build() {
  const { folder } = createProject(realpathSync(mkdtempSync(join(tmpdir(), 'plinth-scripts-'))))
  afterFile(() => {
    first = undefined
    rmSync(folder, { recursive: true, force: true })
  })
  expect(await run(folder, ['scripts/start.mjs', 'build']).exitCode).toBe(0)
  return folder
}
