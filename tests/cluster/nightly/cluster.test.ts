import { expect, test } from 'vitest'
import { runCluster } from '../run-cluster'

test('nothing that happens to two builds behind nginx and PgBouncer loses anything', async () => {
  const { code, output } = await runCluster([])
  process.stdout.write(output)
  expect(code, output).toBe(0)
  expect(output).not.toContain('Skipped')
}, 1_200_000)

test('restarts, a restarted pooler and a failover lose nothing in the short run', async () => {
  const { code, output } = await runCluster(['--short'])
  expect(code, output).toBe(0)
  expect(output).not.toContain('Skipped')
  expect(output).toMatch(/primary killed, standby promoted +\d+ +\d+ +0 +0 +0 +\d+ +0 /)
}, 300_000)
