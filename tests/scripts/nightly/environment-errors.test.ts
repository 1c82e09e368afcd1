import { chmodSync, cpSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../../packages/plinth/scripts/services/programs.mjs'
import { npmError } from '../../../packages/plinth/scripts/setup/install.mjs'
import { createInstalledProject } from '../support/installed-project'
import { canMount, makeReadOnly, mountSmallDisk } from '../support/mount'
import { repository, temporaryFolder } from '../support/project'
import { run, serveOnce } from '../support/run'

test('prints one line without a network', async () => {
  const folder = copyRepository(temporaryFolder())
  const start = run(folder, ['scripts/start.mjs', 'start'], {
    env: {
      npm_config_registry: `http://127.0.0.1:${await freePort()}/`,
      npm_config_cache: temporaryFolder(),
      npm_config_fetch_retries: '0',
    },
  })
  expect(await start.exitCode).toBe(1)
  // A slow machine prints the progress, too.
  expect(start.lines().filter((line) => !/… \d/.test(line))).toEqual([
    'Installing dependencies …',
    'No network: npm cannot reach its registry (ECONNREFUSED). Connect, or configure a proxy for npm, and try again.',
  ])
})

describe.runIf(canMount)('on a small disk', () => {
  test('prints one line if there is no space for the dependencies', async () => {
    const folder = copyRepository(mountSmallDisk(16))
    const start = run(folder, ['scripts/start.mjs', 'start'])
    expect(await start.exitCode).toBe(1)
    expect(start.output()).toMatch(
      /^Not enough disk space: the installation of dependencies needs about 1500 MB in \S+, \d+ MB are free\.\n$/,
    )
  })

  test('prints one line if the disk is completely full', async () => {
    const folder = copyRepository(mountSmallDisk(16))
    fill(folder)
    const start = run(folder, ['scripts/start.mjs', 'start'])
    expect(await start.exitCode).toBe(1)
    expect(start.output()).toBe(
      `Disk full: cannot write ${folder}. Free some space and try again.\n`,
    )
  })
})

describe.runIf(canMount)('in a read-only folder', () => {
  test('prints one line if a setup is needed', async () => {
    const folder = copyRepository(temporaryFolder())
    makeReadOnly(folder)
    const start = run(folder, ['scripts/start.mjs', 'start'])
    expect(await start.exitCode).toBe(1)
    expect(start.output()).toBe(`Read-only file system: cannot write ${folder}.\n`)
  })

  test('prints one line if the folder belongs to another user', async () => {
    const folder = copyRepository(temporaryFolder())
    chmodSync(folder, 0o755)
    const start = run(folder, ['scripts/start.mjs', 'start'], { uid: 65534, gid: 65534 })
    expect(await start.exitCode).toBe(1)
    expect(start.output()).toBe(`Permission denied: cannot write ${folder}.\n`)
  })

  test('serves if nothing has changed', async () => {
    const { folder } = await createInstalledProject()
    makeReadOnly(folder)
    expect((await serveOnce(folder)).output).toBe('serving 0 modules\n')
  })
})

test.each([
  { code: 'ENOTFOUND', line: /^No network: .*\(ENOTFOUND\)/ },
  { code: 'EAI_AGAIN', line: /^No network: .*\(EAI_AGAIN\)/ },
  { code: 'ETIMEDOUT', line: /^No network: .*\(ETIMEDOUT\)/ },
  { code: 'ENOSPC', line: /^Disk full: cannot write \/some\/where\. / },
  { code: 'EACCES', line: /^Permission denied: cannot write \/some\/where\.$/ },
  { code: 'ERESOLVE', line: /^npm install failed\. Full output: / },
])('prints one line if npm fails with $code', ({ code, line }) => {
  for (const prefix of ['npm error', 'npm ERR!']) {
    const error = npmError([`${prefix} code ${code}`, `${prefix} path /some/where`])
    expect(error.message).toMatch(line)
    expect(error.message).not.toContain('\n')
  }
})

function copyRepository(folder: string) {
  for (const name of ['package.json', 'package-lock.json', 'scripts', 'packages', 'src']) {
    cpSync(join(repository, name), join(folder, name), { recursive: true })
  }
  return folder
}

function fill(folder: string) {
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(join(folder, 'filler'), new Uint8Array(bavail * bsize))
}
