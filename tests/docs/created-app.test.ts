import { expect, test } from 'vitest'
import { createApp } from '../cli/support/app'
import { exists } from '../cli/support/run'
import { findMissing } from '../core/support/named-in-document'

test('AGENTS.md is true for an app without modules', () => {
  const { app } = createApp('none')
  expect(findMissing(app, 'AGENTS.md')).toEqual([])
})

test('an app has the recipes, but not the tests that follow them', () => {
  const { app } = createApp('none')
  expect(exists(app, 'docs/recipes/brand.md')).toBe(true)
  expect(exists(app, 'tests/docs')).toBe(false)
})
