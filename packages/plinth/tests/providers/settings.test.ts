import { describe, expect, test } from 'vitest'
import { configuredProviders } from '#auth/oauth/configured-providers'
import { InvalidSettings, parseEnv } from '#config/env'
import { findProviders } from '../../scripts/modules/providers.mjs'
import { installed } from '../support/installed-providers'

describe.each(installed)('the settings of $id', ({ id, settings, home }) => {
  const { clientId, clientSecret, url } = settings
  const keys = { [clientId]: 'id', [clientSecret]: 'hunter2' }

  test.each<[string, Record<string, string>]>([
    [clientSecret, { [clientId]: 'id' }],
    [clientId, { [clientSecret]: 'hunter2' }],
    [url, { [url]: 'not a URL' }],
    [url, { [url]: 'http://provider.example.com' }],
    [url, { [url]: 'http://127.0.0.1.example.com' }],
  ])('reports an invalid or missing %s in one line', (name, source) => {
    const attempt = () => parseEnv(source)
    expect(attempt).toThrow(InvalidSettings)
    expect(attempt).toThrow(new RegExp(`^Settings: ${name} [^\n]+\\.$`))
    expect(attempt).not.toThrow(/hunter2/)
  })

  test('configure it with its public server or with the given URL', () => {
    const [provider, ...others] = configuredProviders(parseEnv(keys))
    expect(others).toEqual([])
    expect(provider).toMatchObject({ id, clientId: 'id', clientSecret: 'hunter2', url: undefined })
    expect(provider?.origin).toBe(new URL(home).origin)
    const [custom] = configuredProviders(parseEnv({ ...keys, [url]: 'http://localhost:4000/path' }))
    expect(custom?.origin).toBe('http://localhost:4000')
  })

  test('have its id in their names and are found by the scripts', async () => {
    for (const name of [clientId, clientSecret, url]) {
      expect(name).toMatch(new RegExp(`^AUTH_${id.toUpperCase().replaceAll('-', '_')}_`))
    }
    expect(await findProviders()).toContainEqual(expect.objectContaining({ id, settings }))
  })
})

test('no provider is configured without settings', () => {
  expect(configuredProviders(parseEnv({}))).toEqual([])
})
