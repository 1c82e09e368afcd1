import { test } from 'vitest'
import { examplesOnProduct } from '../support/examples'

const expectExamples = examplesOnProduct()

test('every example of docs/interface.md prints what it says', () => {
  expectExamples('docs/interface.md', { atLeast: 9 })
})
