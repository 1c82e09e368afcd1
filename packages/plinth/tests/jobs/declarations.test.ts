import { expect, test } from 'vitest'
import { z } from 'zod'
import { isStartupError } from '#config/env'
import { type Job, job, jobsOfModules, nextRun } from '#jobs/job'

const run = async () => {}

function startupMessage(jobs: readonly Job[]): string {
  try {
    jobsOfModules([{ id: 'notes', jobs }])
  } catch (error) {
    if (isStartupError(error)) return error.message
    throw error
  }
  return ''
}

test.each([
  [job({ name: 'other.sync', data: z.object({}) }, run), 'its name must start with "notes."'],
  [job({ name: 'notes.sync', schedule: '61 * * * *' }, run), 'its schedule is invalid'],
  [job({ name: 'notes.sync', schedule: 'tomorrow' }, run), 'its schedule is invalid'],
  [job({ name: 'notes.sync', schedule: '0 3 30 2 *' }, run), 'never occurs'],
  [
    job({ name: 'notes.sync', schedule: '0 3 * * *', timeZone: 'Mars/Base' }, run),
    'its schedule is invalid',
  ],
])('a wrong declaration stops the start (%#)', (declared, message) => {
  expect(startupMessage([declared])).toContain('Module notes: job "')
  expect(startupMessage([declared])).toContain(message)
})

test('two jobs of one name stop the start', () => {
  const declared = job({ name: 'notes.sync', data: z.object({}) }, run)
  expect(startupMessage([declared, declared])).toContain('two jobs have this name')
})

test.each([
  ['UTC', '2026-03-28T12:00:00Z', '2026-03-29T02:30:00.000Z'],
  // The clocks skip 2:30 on this day: it is when they change.
  ['Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
  ['America/New_York', '2026-01-01T12:00:00Z', '2026-01-02T07:30:00.000Z'],
])('half past two in %s', (timeZone, after, expected) => {
  const next = nextRun({ schedule: '30 2 * * *', timeZone }, new Date(after))
  expect(next.toISOString()).toBe(expected)
})
