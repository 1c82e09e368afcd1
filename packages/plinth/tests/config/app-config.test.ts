import { afterEach, describe, expect, test } from 'vitest'
import { appConfig, configure, senderError } from '#config/app-config'
import { isStartupError } from '#config/env'

afterEach(() => configure({ name: 'Test' }))

const dayMs = 24 * 60 * 60_000

test('the defaults: sessions of 30 and 90 days, passwords of 10 characters', () => {
  configure({ name: 'Acme' })
  expect(appConfig()).toEqual({
    name: 'Acme',
    providers: [],
    sessions: { idle: 30 * dayMs, absolute: 90 * dayMs },
    passwords: { minLength: 10, refusedWords: [] },
    limits: {},
    mail: {},
  })
})

test('reads every option', () => {
  const gitlab = { id: 'gitlab', name: 'GitLab', issuer: 'https://gitlab.com' }
  configure({
    name: ' Acme ',
    source: 'https://example.com/acme',
    providers: ['github', gitlab],
    sessions: { idle: '12 hours', absolute: '7 days' },
    passwords: { minLength: 12, refusedWords: ['acme'] },
    limits: { create_article: { times: 10, seconds: 3600 } },
    mail: { from: 'Acme <hello@example.com>', replyTo: 'help@example.com' },
  })
  expect(appConfig()).toMatchObject({
    name: 'Acme',
    providers: ['github', gitlab],
    sessions: { idle: dayMs / 2, absolute: 7 * dayMs },
    limits: { create_article: { times: 10, seconds: 3600 } },
    mail: { from: 'Acme <hello@example.com>' },
  })
})

describe('a mistake is named', () => {
  const named = (config: unknown) => {
    try {
      configure(config)
    } catch (error) {
      expect(isStartupError(error)).toBe(true)
      return (error as Error).message
    }
    return undefined
  }

  test.each([
    [{}, 'name must be a text of 1 to 60 characters'],
    [undefined, 'config must be an object'],
    [{ name: 'A', sesions: {} }, 'sesions is not an option (did you mean sessions?)'],
    [
      { name: 'A', sessions: { idel: '1 day' } },
      'sessions.idel is not an option (did you mean sessions.idle?)',
    ],
    [{ name: 'A', colour: 'red' }, 'colour is not an option'],
    [
      { name: 'A', sessions: { idle: '30' } },
      "sessions.idle must be such as '12 hours' or '30 days', from 1 minute to 400 days",
    ],
    [
      { name: 'A', sessions: { absolute: '401 days' } },
      "sessions.absolute must be such as '12 hours' or '30 days', from 1 minute to 400 days",
    ],
    [
      { name: 'A', passwords: { minLength: 6 } },
      'passwords.minLength must be a whole number from 8 to 64',
    ],
    [{ name: 'A', source: 'acme' }, 'source must be a URL such as https://example.com'],
    [
      { name: 'A', providers: ['gitlab'] },
      'providers.0 must be github, google, { id, name, issuer } or { id, name, url, … }',
    ],
    [{ name: 'A', providers: ['github', 'github'] }, 'providers has github twice'],
    [
      { name: 'A', limits: { create_article: { times: 0, seconds: 60 } } },
      'limits.create_article.times must be a whole number from 1 to 1000000',
    ],
    [
      { name: 'A', mail: { from: 'Acme' } },
      'mail.from must be an email address such as hello@example.com or Name <hello@example.com>',
    ],
  ])('%j', (config, message) => {
    expect(named(config)).toBe(`src/plinth.config.ts: ${message}.`)
  })

  test('all of them at once, and the former configuration stays', () => {
    configure({ name: 'Former' })
    expect(named({ nam: 'A', passwords: { minLength: '9' } })).toBe(
      'src/plinth.config.ts: name must be a text of 1 to 60 characters; passwords.minLength must be a whole number from 8 to 64; nam is not an option (did you mean name?).',
    )
    expect(appConfig().name).toBe('Former')
  })
})

test('SMTP_URL needs a sender, in either file', () => {
  const settings = { SMTP_URL: 'smtp://mail.example.com' }
  expect(senderError(settings)).toMatchObject({ name: 'MAIL_FROM' })
  expect(senderError({ ...settings, MAIL_FROM: 'a@example.com' })).toBeUndefined()
  expect(senderError({})).toBeUndefined()
  configure({ name: 'Acme', mail: { from: 'a@example.com' } })
  expect(senderError(settings)).toBeUndefined()
})
