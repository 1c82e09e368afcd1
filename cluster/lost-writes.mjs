import { createHash } from 'node:crypto'
import { withSql } from './system/system.mjs'

/** Looks every confirmed change and every form up in the database that is left at the end. */
export async function findLostWrites(server, { writes, forms }) {
  return withSql(server, async (sql) => {
    const titles = await readTitles(sql)
    const hashes = await sql`select encode(token_hash, 'hex') as hash from sessions`
    const sessions = new Set(hashes.map(({ hash }) => hash))
    const revoked = new Set(keysOf(writes, 'revocation').map(hashOf))
    const isStored = {
      article: (title) => titles.has(title),
      session: (token) => sessions.has(hashOf(token)) || revoked.has(hashOf(token)),
      revocation: (token) => !sessions.has(hashOf(token)),
    }
    return {
      lostWrites: writes.filter(({ kind, key }) => !isStored[kind](key)),
      lostForms: forms.filter(({ title, kept }) => !kept && !titles.has(title)),
      storedTwice: [...titles].filter(([, count]) => count > 1).map(([title]) => title),
    }
  })
}

async function readTitles(sql) {
  const rows = await sql`select title, count(*)::int as count from articles group by title`
  return new Map(rows.map(({ title, count }) => [title, count]))
}

function keysOf(writes, wanted) {
  return writes.filter(({ kind }) => kind === wanted).map(({ key }) => key)
}

function hashOf(token) {
  return createHash('sha256').update(token).digest('hex')
}
