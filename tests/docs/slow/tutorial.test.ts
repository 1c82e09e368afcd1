import { symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { everyType } from '../../cli/support/generate'
import { sharePackages } from '../../cli/support/link-packages'
import { run } from '../../cli/support/run'
import { runInShell } from '../support/apply-steps'
import { followTutorial } from '../support/tutorial'

let app: string
const postponed: string[] = []

beforeAll(async () => {
  app = await followTutorial({
    prepare: (folder) => {
      sharePackages(folder)
      symlinkSync(resolve('next-env.d.ts'), join(folder, 'next-env.d.ts'))
      // Checked together with the tutorial, which takes no longer.
      const shared = `npx plinth generate module tasks --shared '${everyType.join("' '")}'`
      runInShell(shared, folder)
    },
    // The others take long and run at night.
    runCommand: (command, folder) => {
      if (command.startsWith('npx plinth generate ')) return runInShell(command, folder)
      postponed.push(command)
      return ''
    },
  })
})

test('every other command runs at night', () => {
  expect(postponed).toEqual([
    'npm run check\nnpm test -- "src/app/(books)"\n',
    'npx plinth doctor\n',
  ])
})

function runInApp(...args: string[]): void {
  const { code, out, err } = run(process.execPath, args, app)
  expect(code, out + err).toBe(0)
}

test.each([
  ['types', 'node_modules/typescript/bin/tsc', '--noEmit'],
  ['format', 'node_modules/@biomejs/biome/bin/biome', 'check', 'src/app'],
  ['declarations', 'node_modules/plinth/scripts/check/declarations.mjs'],
])('the result passes the check of %s', (_, ...command) => {
  runInApp(...command)
})
