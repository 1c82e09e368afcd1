import { expect, test } from 'vitest'
import { runAttack } from '../run-attack'

test('the full run finds no bypass and leaves out nothing', async () => {
  const { code, output } = await runAttack([])
  expect(code, output).toBe(0)
  expect(output).toMatch(/total( +\d+){3} +0 +0\n/)
}, 900_000)
