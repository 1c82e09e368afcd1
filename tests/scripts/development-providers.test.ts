import { describe, expect, test } from 'vitest'
import { installed } from '@/core/auth/providers/installed'
import { developmentProviders } from '../../scripts/development-providers.mjs'

const place = { host: '127.0.0.1', port: 3000 }
const all = installed.flatMap(({ settings }) => Object.values(settings))

test('every installed provider has one to develop with', () => {
  expect(Object.keys(developmentProviders({}, place))).toEqual(all)
})

describe.each(installed)('$id', ({ id, settings }) => {
  const own = Object.values(settings)

  test('is the development server itself', () => {
    expect(developmentProviders({}, place)).toMatchObject({
      [settings.clientId]: 'development',
      [settings.url]: `http://127.0.0.1:3000/dev/oauth/${id}`,
    })
    const open = developmentProviders({}, { host: '0.0.0.0', port: 4000 })
    expect(open[settings.url]).toBe(`http://localhost:4000/dev/oauth/${id}`)
  })

  test.each(own)('with a %s of one’s own it is left alone', (name) => {
    const others = all.filter((other) => !own.includes(other))
    expect(Object.keys(developmentProviders({ [name]: 'https://mine' }, place))).toEqual(others)
  })
})
