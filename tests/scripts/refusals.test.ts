import { chmodSync, cpSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../scripts/services/port.mjs'
import { failureOf } from '../../scripts/setup/npm.mjs'
import { createInstalledProject } from './support/installed-project'
import { canMount, makeReadOnly, mountSmallDisk } from './support/mount'
import { repository, temporaryFolder } from './support/project'
import { run, serveOnce } from './support/run'

test('no network: one line', async () => {
  const folder = copyOfRepository(temporaryFolder())
  const start = run(folder, ['scripts/start.mjs'], {
    env: {
      npm_config_registry: `http://127.0.0.1:${await freePort()}/`,
      npm_config_cache: temporaryFolder(),
      npm_config_fetch_retries: '0',
    },
  })
  expect(await start.exitCode).toBe(1)
  expect(start.lines()).toEqual([
    'Installing dependencies …',
    'No network: npm could not reach its registry (ECONNREFUSED). Connect, or give npm a proxy, and try again.',
  ])
})

describe.runIf(canMount)('on a disk of its own', () => {
  test('no room for the dependencies: one line', async () => {
    const folder = copyOfRepository(mountSmallDisk(16))
    const start = run(folder, ['scripts/start.mjs'])
    expect(await start.exitCode).toBe(1)
    expect(start.output()).toMatch(
      /^No room on disk: installing the dependencies needs about 1500 MB in \S+, \d+ MB are free\.\n$/,
    )
  })

  test('a disk that is full to the last byte: one line', async () => {
    const folder = copyOfRepository(mountSmallDisk(16))
    fill(folder)
    const start = run(folder, ['scripts/start.mjs'])
    expect(await start.exitCode).toBe(1)
    expect(start.output()).toBe(
      `No room on disk: ${folder} could not be written. Free some space.\n`,
    )
  })
})

describe.runIf(canMount)('in a read-only folder', () => {
  test('that is not set up: one line', async () => {
    const folder = copyOfRepository(temporaryFolder())
    makeReadOnly(folder)
    const start = run(folder, ['scripts/start.mjs'])
    expect(await start.exitCode).toBe(1)
    expect(start.output()).toBe(`Read-only folder: ${folder} cannot be written.\n`)
  })

  test('that belongs to somebody else: one line', async () => {
    const folder = copyOfRepository(temporaryFolder())
    chmodSync(folder, 0o755)
    const start = run(folder, ['scripts/start.mjs'], { uid: 65534, gid: 65534 })
    expect(await start.exitCode).toBe(1)
    expect(start.output()).toBe(`Read-only folder: no permission to write ${folder}.\n`)
  })

  test('in which nothing has changed: it is served', async () => {
    const { folder } = await createInstalledProject()
    makeReadOnly(folder)
    expect((await serveOnce(folder)).output).toBe('serving 0 modules in production\n')
  })
})

test.each([
  { code: 'ENOTFOUND', line: /^No network: .*\(ENOTFOUND\)/ },
  { code: 'EAI_AGAIN', line: /^No network: .*\(EAI_AGAIN\)/ },
  { code: 'ETIMEDOUT', line: /^No network: .*\(ETIMEDOUT\)/ },
  { code: 'ENOSPC', line: /^No room on disk: \/some\/where / },
  { code: 'EACCES', line: /^Read-only folder: no permission to write \/some\/where\.$/ },
  { code: 'ERESOLVE', line: /^npm install failed\. All of its output: / },
])('npm ending with $code is one line', ({ code, line }) => {
  for (const prefix of ['npm error', 'npm ERR!']) {
    const failure = failureOf([`${prefix} code ${code}`, `${prefix} path /some/where`])
    expect(failure.message).toMatch(line)
    expect(failure.message).not.toContain('\n')
  }
})

function copyOfRepository(folder: string) {
  for (const name of ['package.json', 'package-lock.json', 'scripts', 'src']) {
    cpSync(join(repository, name), join(folder, name), { recursive: true })
  }
  return folder
}

function fill(folder: string) {
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(join(folder, 'filler'), new Uint8Array(bavail * bsize))
}
