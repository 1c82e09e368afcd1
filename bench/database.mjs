import postgres from 'postgres'
import { Stop } from '../scripts/failure.mjs'
import { findPostgres, startPostgres } from '../scripts/services/postgres.mjs'

/** A private PostgreSQL, in which everything that is compared has a database of its own. */
export async function startCluster() {
  const bin = findPostgres()
  if (!bin) throw new Stop('This benchmark needs PostgreSQL, which is not installed here.')
  const server = await startPostgres(bin)
  return {
    end: server.end,
    async createDatabase(name) {
      const sql = postgres(server.url, { max: 1 })
      await sql.unsafe(`create database ${name}`)
      await sql.end()
      const url = new URL(server.url)
      url.pathname = `/${name}`
      return String(url)
    },
  }
}
