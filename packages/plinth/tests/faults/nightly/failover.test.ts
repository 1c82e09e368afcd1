import { expect, test, vi } from 'vitest'
import { openPostgres } from '#db/postgres/postgres'
import { findPostgres } from '../../../scripts/services/programs.mjs'
import { startWrites } from '../../support/acknowledged-writes'
import { startPostgresPair } from '../../support/services/postgres-pair.mjs'

test.each(['killed', 'silent'])(
  'loses no acknowledged write of a primary that is %s',
  async (how) => {
    const pair = await startPostgresPair(process.env.TEST_POSTGRES_BIN ?? findPostgres())
    const connection = openPostgres({ url: pair.url, poolSize: 10 })
    try {
      await connection.query('create table kept (number int)', [])
      const writes = startWrites(connection, 20)
      for (let count = 0; count < 50; count += 1) await writes.next()
      if (how === 'killed') await pair.killPrimary()
      else pair.pausePrimary()
      // There is no primary for a while.
      await vi.waitFor(() => expect(connection.ping()).rejects.toThrow(), { timeout: 20_000 })
      await pair.promote()
      const promotedAt = performance.now()
      await writes.next()
      expect(performance.now() - promotedAt).toBeLessThan(5_000)
      for (let count = 0; count < 50; count += 1) await writes.next()
      await writes.stop()
      const { rows } = await connection.query('select number from kept', [])
      const kept = new Set(rows.map((row) => (row as { number: number }).number))
      expect(writes.numbers.length).toBeGreaterThan(100)
      expect(writes.numbers.filter((number) => !kept.has(number))).toEqual([])
      expect(writes.longestMs).toBeLessThan(2_500)
    } finally {
      await connection.close()
      await pair.stop()
    }
  },
)
