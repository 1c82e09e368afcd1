import { examplesOnProduct } from '@tests/support/examples'
import { test } from 'vitest'

const expectExamples = examplesOnProduct()

test('the example of the README prints what it says', () => {
  expectExamples('src/app/(landing)/README.md', { atLeast: 1 })
})
