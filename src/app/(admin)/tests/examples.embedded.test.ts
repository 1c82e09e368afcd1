import { examplesOnProduct } from '@tests/support/examples'
import { test } from 'vitest'

const expectExamples = examplesOnProduct()

test('the examples of the README print what they say', () => {
  expectExamples('src/app/(admin)/README.md', { atLeast: 2 })
})
