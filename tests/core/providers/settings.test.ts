import { describe, expect, test } from 'vitest'
import { installed } from '@/core/auth/providers/installed'
import { InvalidSettings, parseEnv } from '@/core/env'
import { providerSettings } from '../../../scripts/modules/find-providers.mjs'

describe.each(installed)('the settings of $id', ({ id, settings, home }) => {
  const { clientId, clientSecret, url } = settings
  const keys = { [clientId]: 'id', [clientSecret]: 'hunter2' }

  test.each<[string, Record<string, string>]>([
    [clientSecret, { [clientId]: 'id' }],
    [clientId, { [clientSecret]: 'hunter2' }],
    [url, { [url]: 'somewhere' }],
    [url, { [url]: 'http://elsewhere.example.com' }],
    [url, { [url]: 'http://127.0.0.1.example.com' }],
  ])('a wrong or missing %s is named in one line', (name, source) => {
    const attempt = () => parseEnv(source)
    expect(attempt).toThrow(InvalidSettings)
    expect(attempt).toThrow(new RegExp(`^Settings: ${name} [^\n]+\\.$`))
    expect(attempt).not.toThrow(/hunter2/)
  })

  test('with both keys it is there, at home or where the third one leads', () => {
    const [known, ...more] = parseEnv(keys).providers
    expect(more).toEqual([])
    expect(known).toMatchObject({ id, clientId: 'id', clientSecret: 'hunter2', url: undefined })
    expect(known?.origin).toBe(new URL(home).origin)
    const [moved] = parseEnv({ ...keys, [url]: 'http://localhost:4000/there' }).providers
    expect(moved?.origin).toBe('http://localhost:4000')
  })

  test('are named after it, and found by the scripts, which read its file as text', () => {
    for (const name of [clientId, clientSecret, url]) {
      expect(name).toMatch(new RegExp(`^AUTH_${id.toUpperCase().replaceAll('-', '_')}_`))
    }
    expect(providerSettings(id)).toEqual([clientId, clientSecret, url])
  })
})

test('without any key there is no provider', () => {
  expect(parseEnv({}).providers).toEqual([])
})
