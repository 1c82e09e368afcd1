import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type Place } from '../support/database'
import { freePort, launchServer, startServer } from '../support/server'

let place: Place

beforeAll(async () => {
  place = await freshDatabase()
})

afterAll(() => place.remove())

/** Starts it, expects it to end with 1, and returns the one line that it says why with. */
async function refusal(settings: Record<string, string>): Promise<string> {
  const server = launchServer({ ...place.settings, LOG_LEVEL: 'silent', ...settings })
  expect(await server.ended).toBe(1)
  const lines = server.output().trim().split('\n')
  expect(lines.filter((line) => !line.includes('next.config.ts'))).toHaveLength(1)
  return lines.at(-1) ?? ''
}

test('a port that is in use', async () => {
  const other = createServer()
  await once(other.listen(0, '127.0.0.1'), 'listening')
  const address = other.address()
  const PORT = String(typeof address === 'object' ? address?.port : 0)
  expect(await refusal({ PORT })).toBe(
    `Port ${PORT} on 127.0.0.1 is in use. Stop what uses it, or set PORT to another.`,
  )
  other.close()
})

test('a setting that is wrong', async () => {
  expect(await refusal({ SIGN_UP: 'sometimes' })).toMatch(/^Settings: SIGN_UP .*\.$/)
})

test('a folder that is a file', async () => {
  expect(await refusal({ DATA_DIR: 'package.json' })).toBe(
    'DATA_DIR must be a folder, but package.json is something else.',
  )
})

test.runIf(process.platform === 'linux')('a folder that cannot be written to', async () => {
  expect(await refusal({ DATA_DIR: '/sys/plinth' })).toMatch(/^Cannot write to \/sys\/plinth: /)
})

test('an open address while a published password still opens an account', async () => {
  const first = await startServer(place.settings)
  expect(first.output()).toContain(
    'demo accounts: admin@example.com, editor@example.com, viewer@example.com with the password plinth-demo-1',
  )
  await first.stop()
  const line = await refusal({ HOST: '0.0.0.0', PORT: String(await freePort()) })
  expect(line).toMatch(/^HOST is 0\.0\.0\.0, but admin@example\.com, .* plinth-demo-1/)
})
