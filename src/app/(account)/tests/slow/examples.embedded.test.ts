import { docExamples } from 'plinth/testing/server'
import { test } from 'vitest'

const expectExamples = docExamples()

test('the example of the README prints the documented output', () => {
  expectExamples('src/app/(account)/README.md', { min: 1 })
})
