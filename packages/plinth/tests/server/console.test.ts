import { afterEach, expect, test } from 'vitest'
import { logConsole } from '#server/console'
import { captureLog } from '../support/log'

const original = { ...console }

afterEach(() => {
  Object.assign(console, original)
})

test('logs what Next prints, except for errors that have a line of their own', () => {
  const lines = captureLog()
  logConsole()
  const { error } = globalThis.console
  // As Next does: an error of a page, and what no code has caught.
  error(' \u001b[31m\u001b[1m⨯\u001b[22m\u001b[39m', new Error('of a page'))
  error(' ⨯', 'unhandledRejection:', new Error('lost'))
  error(' ⨯', 'uncaughtException: ', new Error('lost'))
  error(' ⨯', 'Failed to preload entries:', new Error('gone'))
  error(' \u001b[31m⨯\u001b[39m upstream image response failed')
  error(new Error('from a package'))
  expect(lines()).toMatchObject([
    { level: 'error', msg: expect.stringMatching(/^Failed to preload entries: Error: gone/) },
    { level: 'error', msg: 'upstream image response failed' },
    { level: 'error', msg: expect.stringMatching(/^Error: from a package/) },
  ])
})
