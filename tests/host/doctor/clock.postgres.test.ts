import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { freshDatabase, openPlace } from '../../support/database'
import { askDoctor } from '../../support/doctor'

test.each([
  [1, undefined],
  [5, /^warning: Its clock is 5 s ahead/],
  [-40, /^error: Its clock is 40 s behind/],
])('a clock that is %s s off', async (seconds, expected) => {
  const place = await freshDatabase()
  const connection = await openPlace(place)
  await connection.transact((run) =>
    run(`
        create schema elsewhere;
        create function elsewhere.clock_timestamp() returns timestamptz language sql as
          $$ select pg_catalog.clock_timestamp() + interval '${seconds} seconds' $$;
        do $$ begin
          execute format(
            'alter database %I set search_path = elsewhere, public, pg_catalog',
            current_database()
          );
        end $$`),
  )
  await connection.close()
  const AUTH_SECRET = randomBytes(32).toString('base64')
  const { wrong } = await askDoctor({ settings: { ...place.settings, AUTH_SECRET } })
  expect(wrong('database')).toEqual(expected ? [expect.stringMatching(expected)] : [])
  await place.remove()
})
