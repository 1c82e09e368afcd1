import { join } from 'node:path'
import { expect } from 'vitest'
import { type Outcome, run } from './run'
import { packedTemplate, temporaryFolder, unpack } from './template'

/** An app with these modules, and the CLI that created it. */
export function createApp(modules: string) {
  const cli = unpack(packedTemplate())
  const folder = temporaryFolder()
  const program = (name: string) => join(cli, 'bin', `${name}.mjs`)
  const create = [program('create-plinth'), 'app', '--yes', '--modules', modules]
  expect(run(process.execPath, create, folder)).toMatchObject({ code: 0 })
  const app = join(folder, 'app')
  return {
    app,
    program: program('plinth'),
    plinth: (...args: string[]): Outcome =>
      run(process.execPath, [program('plinth'), ...args], app),
  }
}
