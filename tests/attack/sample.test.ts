import { expect, test } from 'vitest'
import { runAttack } from './run-attack'

test('the short run finds no bypass and leaves out nothing but the long attacks', async () => {
  const { code, output } = await runAttack(['--quick'])
  expect(code, output).toBe(0)
  expect(output).toMatch(/total( +\d+){3} +0 +\d+\n/)
  const skipped = output.match(/^Skipped: .*$/gm) ?? []
  expect(skipped.filter((line) => !line.endsWith('in the full run only'))).toEqual([])
}, 300_000)
