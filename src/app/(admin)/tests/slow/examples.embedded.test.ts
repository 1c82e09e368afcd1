import { docExamples } from 'plinth/testing/server'
import { test } from 'vitest'

const expectExamples = docExamples()

test('the examples of the README print the documented output', () => {
  expectExamples('src/app/(admin)/README.md', { min: 2 })
})
