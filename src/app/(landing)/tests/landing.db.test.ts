import { createApi } from 'plinth/api/api'
import { newClient, testDatabase } from 'plinth/testing'
import { expect, test } from 'vitest'
import { modules } from '@/modules'
import { config } from '@/plinth.config'
import { landing } from '../content'

testDatabase()

test('the API returns the content of the page to anonymous callers', async () => {
  const response = await newClient().send('/api/demo/landing')
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual(landing)
})

test('the API returns 404 without the module', async () => {
  const others = modules.filter(({ id }) => id !== 'landing')
  const response = await createApi(others).request('/api/demo/landing')
  expect(response.status).toBe(404)
})

test('the product name comes from the settings of the app', () => {
  expect(landing.headline).toContain(config.name)
})
