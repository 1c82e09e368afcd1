import { expect, test } from 'vitest'
import { estimateStrength } from '@/ui/forms/password-strength'

const rules = { min: 10, max: 128, email: 'ann.lee.long@example.com' }

test.each([
  ['short', 'weak', /at least 10/],
  ['x'.repeat(129), 'weak', /at most 128/],
  ['Ann.Lee.Long@example.com', 'weak', /email/],
  ['ann.lee.long', 'weak', /email/],
  ['aaaaaaaaaaaaaaaa', 'weak', /guess/],
  ['1212121212121212', 'weak', /guess/],
  ['abcdefghijklmnop', 'weak', /guess/],
  ['password123', 'weak', /guess/],
  ['Qwerty!2345678', 'weak', /guess/],
  ['horse battery', 'good', /Good/],
  ['a few words in a row', 'strong', /Strong/],
  ['k7#Vq9!mZ2@x', 'strong', /Strong/],
  ['рассвет над рекой', 'strong', /Strong/],
])('%j is %s', (password, level, text) => {
  const estimate = estimateStrength(password, rules)
  expect(estimate.level).toBe(level)
  expect(estimate.text).toMatch(text)
})
