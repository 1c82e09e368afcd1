import { readFileSync } from 'node:fs'
import { parseMigration } from 'plinth/db/migrate/plan'
import { expect, test } from 'vitest'

/** Applications have applied them. Add a new migration instead of changing one. */
test.each([
  ['0001_initial', 'db3de11097c99e6ca9f0245597ca710af665fbac888b92ce8384fe8fee93f742'],
  ['0002_article_html', '33afdacf6f9731834d1f9c5881221b43b227132ce894dbfcb74cc98463defd77'],
  ['0003_article_search', '8a1ce66804add5abe746796eb923942c6fdf3f6fc146efdca28c38b4aef33ab4'],
])('%s is frozen', (name, hash) => {
  const text = readFileSync(`src/app/(content)/migrations/${name}.sql`, 'utf8')
  expect(parseMigration(text).hash).toBe(hash)
})
