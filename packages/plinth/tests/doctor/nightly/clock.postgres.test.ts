import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { freshDatabase, openFresh } from '#testing/database/database'
import { runDoctor } from '../../support/doctor'

test.each([
  [1, undefined],
  [5, /^warning: Its clock is 5 s ahead/],
  [-40, /^error: Its clock is 40 s behind/],
])('reports a clock that is %s s off', async (seconds, expected) => {
  const fresh = await freshDatabase()
  const connection = await openFresh(fresh)
  await connection.transact((execute) =>
    execute(`
        create schema shifted;
        create function shifted.clock_timestamp() returns timestamptz language sql as
          $$ select pg_catalog.clock_timestamp() + interval '${seconds} seconds' $$;
        do $$ begin
          execute format(
            'alter database %I set search_path = shifted, public, pg_catalog',
            current_database()
          );
        end $$`),
  )
  await connection.close()
  const AUTH_SECRET = randomBytes(32).toString('base64')
  const { issues } = await runDoctor({ settings: { ...fresh.settings, AUTH_SECRET } })
  expect(issues('database')).toEqual(expected ? [expect.stringMatching(expected)] : [])
  await fresh.remove()
})
