import { existsSync } from 'node:fs'
import { newClient } from '@tests/support/client'
import { testDatabase } from '@tests/support/database'
import { expect, test } from 'vitest'
import { createApi } from '@/api'
import { modules } from '@/modules'
import { landing } from '../content'

testDatabase()

test('the interface hands out what the page says, to anybody', async () => {
  const response = await newClient().send('/api/demo/landing')
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual(landing)
})

test('without the module there is nothing at that address', async () => {
  const others = modules.filter(({ id }) => id !== 'landing')
  const response = await createApi(others).request('/api/demo/landing')
  expect(response.status).toBe(404)
})

test('every file that the page points to exists', () => {
  for (const { file } of landing.claims) expect(existsSync(file), file).toBe(true)
})
