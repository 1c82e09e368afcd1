import postgres from 'postgres'
import { findPostgres, startPostgres } from '../packages/plinth/scripts/services/programs.mjs'
import { CommandError } from '../packages/plinth/scripts/terminal.mjs'

/** A private PostgreSQL with one database for each benchmark subject. */
export async function startCluster() {
  const bin = findPostgres()
  if (!bin) throw new CommandError('PostgreSQL not found. This benchmark requires it.')
  const server = await startPostgres(bin)
  return {
    stop: server.stop,
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
