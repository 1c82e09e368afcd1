import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseDocument } from './support/parse-document'
import { readRecipe, recipes } from './support/recipes'

test.each(recipes)('%s says what you get, then the steps', (name) => {
  const recipe = readRecipe(name)
  const text = recipe.replace(/^(`{3,})[\s\S]*?^\1$/gm, '')
  const headings = text.match(/^#+ .*$/gm) ?? []
  expect(headings.slice(1)).toEqual(['## What you get', '## Steps'])
  const steps = parseDocument(recipe)
  expect(steps.length).toBeGreaterThan(1)
  expect(steps.at(-1)?.kind).toBe('run')
})

test('the index lists every recipe', () => {
  const index = readFileSync('packages/plinth/docs/recipes/README.md', 'utf8')
  expect(recipes.filter((name) => !index.includes(`](${name}.md)`))).toEqual([])
})
