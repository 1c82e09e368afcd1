import { docExamples } from '@tests/support/doc-examples'
import { test } from 'vitest'

const expectExamples = docExamples()

test('every example of docs/api.md prints the documented output', () => {
  expectExamples('docs/api.md', { min: 14 })
})
