import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createApp } from '../../cli/support/app'
import { sharePackages } from '../../cli/support/link-packages'
import { run } from '../../cli/support/run'
import { temporaryFolder } from '../../cli/support/template'
import { applyText, readRecipe, recipes } from '../support/recipes'

vi.setConfig({ testTimeout: 300_000 })

const { app } = createApp('landing,account,admin,content,security')
sharePackages(app)
const names = recipes.filter((name) => name !== 'postgresql')

/** Paths in code of the text. Those with a placeholder, and those that a recipe deletes, are left out. */
function filesNamedIn(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '')
  const paths = [...prose.matchAll(/`(?:node )?((?:src|tests|scripts|public)\/[^`\s]+\.\w+)`/g)]
  return paths.map(([, path = '']) => path).filter((path) => !isLeftOut(path, text))
}

const isLeftOut = (path: string, text: string) => /[…<]/.test(path) || text.includes(`rm ${path}`)

test('the app has every recipe', () => {
  const folder = join(app, 'node_modules/plinth/docs/recipes')
  for (const name of recipes) expect(existsSync(join(folder, `${name}.md`))).toBe(true)
})

test.each(names)('%s: can be followed in a created app', async (name) => {
  const text = readRecipe(name)
  const copy = join(temporaryFolder(), 'app')
  cpSync(app, copy, { recursive: true, verbatimSymlinks: true })
  const { tests } = await applyText(text, copy)
  expect(tests.length).toBeGreaterThan(0)
  expect(tests.filter((path) => !existsSync(join(copy, path)))).toEqual([])
  expect(filesNamedIn(text).filter((path) => !existsSync(join(copy, path)))).toEqual([])
  const { code, out, err } = run(
    process.execPath,
    ['node_modules/plinth/scripts/check/declarations.mjs'],
    copy,
  )
  expect(code, out + err).toBe(0)
})
