import { rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { combinations } from '../support/combinations'
import { sharePackages } from '../support/link-packages'
import { run } from '../support/run'
import { packedTemplate, temporaryFolder, unpack } from '../support/template'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

let cli: string
let folder: string

beforeAll(() => {
  cli = unpack(packedTemplate())
  folder = temporaryFolder()
})

/** Each app has the path of the one before, so that only files that differ are checked again. */
function checkTypes(app: string) {
  const incremental = ['--incremental', '--tsBuildInfoFile', join(folder, 'types.tsbuildinfo')]
  const tsc = ['node_modules/typescript/bin/tsc', '--noEmit', ...incremental]
  return run(process.execPath, tsc, app)
}

// The nightly workflow also builds each combination and runs its tests.
test.each(combinations)('%s: passes the type check', (modules) => {
  const app = join(folder, 'app')
  rmSync(app, { recursive: true, force: true })
  const create = [join(cli, 'bin/create-plinth.mjs'), 'app', '--yes', '--no-git']
  expect(run(process.execPath, [...create, '--modules', modules], folder).code).toBe(0)
  sharePackages(app)
  symlinkSync(resolve('next-env.d.ts'), join(app, 'next-env.d.ts'))
  expect(checkTypes(app)).toMatchObject({ code: 0, out: '' })
})
