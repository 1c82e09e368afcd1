import { docExamples } from '@tests/support/doc-examples'
import { test } from 'vitest'

const expectExamples = docExamples()

test('the example of the README prints the documented output', () => {
  expectExamples('src/app/(landing)/README.md', { min: 1 })
})
