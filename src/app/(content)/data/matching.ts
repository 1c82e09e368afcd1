import 'server-only'
import { type SQL, sql } from 'drizzle-orm'
import { containing } from 'plinth/db/list'
import { articles } from '../schema'

/**
 * Articles with words that start with each of these, or whose title contains the text, which also
 * finds parts of words. A union, because each half then uses its own index.
 */
export function matching(text: string): SQL {
  return sql`${articles.id} in (
    select id from articles
      where to_tsvector('simple', translate(title || ' ' || body, '<>&/@:.-_', '         '))
        @@ to_tsquery('simple', ${wordsOf(text)})
    union select id from articles where ${titleContains(text)}
  )`
}

export function titleContains(text: string): SQL {
  return sql`title ilike ${containing(text)}`
}

/** The words as the index has them, quoted, so that none is an operator. */
function wordsOf(text: string): string {
  return text
    .split(/[\s<>&/@:.\-_'\\]+/)
    .filter((word) => word !== '')
    .map((word) => `'${word}'${word.length < minPrefix ? '' : ':*'}`)
    .join(' & ')
}

/** Thousands of words start with one letter. */
const minPrefix = 3
