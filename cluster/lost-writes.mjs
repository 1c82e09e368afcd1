import { createHash } from 'node:crypto'
import { withSql } from './system/system.mjs'

/** Looks every confirmed change and every form up in the database that is left at the end. */
export async function findLostWrites(server, { writes, forms }) {
  const { articles, sessions } = await withSql(server, async (sql) => ({
    articles: await sql`select title, body from articles`,
    sessions: await sql`select encode(token_hash, 'hex') as hash from sessions`,
  }))
  const titles = new Map(articles.map(({ title, body }) => [body, title]))
  const texts = new Map(articles.map(({ title, body }) => [title, body]))
  const hashes = new Set(sessions.map(({ hash }) => hash))
  const isStored = {
    article: (body) => titles.has(body),
    session: (token) => hashes.has(hashOf(token)),
    revocation: (token) => !hashes.has(hashOf(token)),
  }
  return {
    lostWrites: writes.filter(({ kind, key }) => !isStored[kind](key)),
    lostForms: forms.flatMap((form) => {
      const title = titles.get(form.body)
      if (title === form.title) return []
      const stored = title ?? texts.get(form.title)
      if (stored !== undefined) return [{ ...form, detail: `was stored with “${stored}”` }]
      return form.kept ? [] : [form]
    }),
    storedTwice: forms.filter(
      (form) => articles.filter(({ body }) => body === form.body).length > 1,
    ),
  }
}

function hashOf(token) {
  return createHash('sha256').update(token).digest('hex')
}
