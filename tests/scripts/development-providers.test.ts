import { describe, expect, test } from 'vitest'
import { developmentProviders } from '../../packages/plinth/scripts/modules/providers.mjs'
import { installed } from '../../packages/plinth/tests/support/installed-providers'

const server = { host: '127.0.0.1', port: 3000 }
const all = installed.flatMap(({ settings }) => Object.values(settings))

test('replaces every installed provider', async () => {
  expect(Object.keys(await developmentProviders({}, server))).toEqual(all)
})

describe.each(installed)('$id', ({ id, settings }) => {
  const own = Object.values(settings)

  test('points to the development server', async () => {
    expect(await developmentProviders({}, server)).toMatchObject({
      [settings.clientId]: 'development',
      [settings.url]: `http://localhost:3000/dev/oauth/${id}`,
    })
    const onAllInterfaces = await developmentProviders({}, { host: '0.0.0.0', port: 4000 })
    expect(onAllInterfaces[settings.url]).toBe(`http://localhost:4000/dev/oauth/${id}`)
  })

  test.each(own)('is not replaced if %s is set', async (name) => {
    const others = all.filter((other) => !own.includes(other))
    expect(Object.keys(await developmentProviders({ [name]: 'https://mine' }, server))).toEqual(
      others,
    )
  })
})
