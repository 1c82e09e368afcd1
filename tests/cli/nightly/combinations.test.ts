import { symlinkSync } from 'node:fs'
import { resolve } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { nightly } from '../../support/nightly'
import { combinations } from '../support/combinations'
import { run } from '../support/run'
import { packedTemplate, temporaryFolder, unpack } from '../support/template'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

let cli: string

beforeAll(() => {
  cli = unpack(packedTemplate())
})

/** Modules do not import each other, so core alone and one combination show as much as all. */
const checked = nightly ? combinations : combinations.slice(0, 2)

// The nightly workflow also builds each combination and runs its tests.
test.each(checked)('%s: passes the type check', (modules) => {
  const folder = temporaryFolder()
  const create = [`${cli}/bin/create-plinth.mjs`, 'app', '--yes', '--no-git', '--modules', modules]
  expect(run(process.execPath, create, folder).code).toBe(0)
  const app = `${folder}/app`
  symlinkSync(resolve('node_modules'), `${app}/node_modules`)
  symlinkSync(resolve('next-env.d.ts'), `${app}/next-env.d.ts`)
  const check = run(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit'], app)
  expect(check).toMatchObject({ code: 0, out: '' })
})
