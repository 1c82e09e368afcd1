import { expect, test } from 'vitest'
import { ProviderUnavailable, providerFetch } from '@/core/auth/oauth/provider-fetch'
import { freePort } from '../support/server'

test.each([
  'http://192.0.2.1/token',
  'http://localhost.evil.example/',
  'http://127.0.0.1.evil.example/',
])('sends nothing over http to another machine: %s', async (url) => {
  await expect(providerFetch(url)).rejects.toThrow('is not https')
  await expect(providerFetch(new Request(url))).rejects.toThrow('is not https')
})

test('throws ProviderUnavailable if the provider does not respond', async () => {
  const url = `http://127.0.0.1:${await freePort()}/token`
  await expect(providerFetch(new URL(url))).rejects.toThrow(ProviderUnavailable)
})
