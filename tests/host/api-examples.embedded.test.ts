import { test } from 'vitest'
import { docExamples } from '../support/doc-examples'

const expectExamples = docExamples()

test('every example of docs/api.md prints the documented output', () => {
  expectExamples('docs/api.md', { min: 14 })
})
