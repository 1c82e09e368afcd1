import { symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { isOlder } from '../../../packages/plinth/scripts/node-version.mjs'
import { bookmarks, createGenerateApp, everyType, parts } from '../support/generate'
import { run } from '../support/run'

const commands = [
  bookmarks,
  ['generate', 'module', 'tasks', '--shared', ...everyType],
  ['generate', 'module', 'people', '--singular', 'person', ...everyType],
  ...parts.map((part) => ['generate', ...part]),
  ['generate', 'action', 'landing', 'subscribe', ...everyType],
  ['generate', 'action', 'tasks', 'close-task'],
  ['generate', 'provider', 'gitlab'],
  ['generate', 'provider', 'gitea', '--oauth'],
]

let app: string

beforeAll(() => {
  const created = createGenerateApp('account,landing')
  app = created.folder
  symlinkSync(resolve('next-env.d.ts'), join(app, 'next-env.d.ts'))
  for (const command of commands) {
    expect(created.plinth(...command), command.join(' ')).toMatchObject({ code: 0, err: '' })
  }
})

const unused: [string, string[]] = [
  'unused',
  ['node_modules/knip/bin/knip.js', '--tsConfig', 'tsconfig.json'],
]

const checks: [string, string[]][] = [
  ['declarations', ['node_modules/plinth/scripts/check/declarations.mjs']],
  ['types', ['node_modules/typescript/bin/tsc', '--noEmit']],
  ['biome', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', 'src']],
  ['imports', ['node_modules/plinth/scripts/check/imports.mjs']],
  // As `npm run check` does.
  ...(isOlder(process.version, '20.19.0') ? [] : [unused]),
]

test.each(checks)('generated code passes the check %s', (_, args) => {
  const { code, out, err } = run(process.execPath, args, app)
  expect(code, out + err).toBe(0)
})
