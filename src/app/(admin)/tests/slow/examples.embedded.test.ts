import { docExamples } from '@tests/support/doc-examples'
import { test } from 'vitest'

const expectExamples = docExamples()

test('the examples of the README print the documented output', () => {
  expectExamples('src/app/(admin)/README.md', { min: 2 })
})
