import { expect, test } from 'vitest'
import { ProviderUnreachable, providerFetch } from '@/core/auth/provider-fetch'
import { freePort } from '../support/server'

test.each([
  'http://192.0.2.1/token',
  'http://localhost.evil.example/',
  'http://127.0.0.1.evil.example/',
])('nothing is sent in the clear to another machine: %s', async (url) => {
  await expect(providerFetch(url)).rejects.toThrow('is not https')
  await expect(providerFetch(new Request(url))).rejects.toThrow('is not https')
})

test('a provider that does not answer is told apart', async () => {
  const url = `http://127.0.0.1:${await freePort()}/token`
  await expect(providerFetch(new URL(url))).rejects.toThrow(ProviderUnreachable)
})
