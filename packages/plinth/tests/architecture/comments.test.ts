import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sourcesOf } from '../../scripts/check/imports.mjs'

/** A comment says what it is about: it is a sentence with a subject, or a noun phrase. */
const withoutSubject = /^\s*(?:\/\/|\/\*\*|\*) (?:What|Those|Who|Whose|Of|By) /gm

test('no comment begins with What, Those, Who, Whose, Of or By', async () => {
  const paths = await sourcesOf('.')
  const found = paths.flatMap((path) =>
    (readFileSync(path, 'utf8').match(withoutSubject) ?? []).map((start) => `${path}: ${start}`),
  )
  expect(paths.length).toBeGreaterThan(1000)
  expect(found).toEqual([])
})
