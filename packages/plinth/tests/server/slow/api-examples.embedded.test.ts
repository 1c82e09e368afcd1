import { test } from 'vitest'
import { docExamples } from '#testing/server/doc-examples'

const expectExamples = docExamples()

test('every example of docs/api.md prints the documented output', () => {
  expectExamples('packages/plinth/docs/api.md', { min: 14 })
})
