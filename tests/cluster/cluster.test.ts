import { expect, test } from 'vitest'
import { runCluster } from './run-cluster'

test('rejects an unknown option with one line', async () => {
  const { code, output } = await runCluster(['--frobnicate'])
  expect(code).toBe(1)
  expect(output).toMatch(/^Unknown option .*\n$/)
})
