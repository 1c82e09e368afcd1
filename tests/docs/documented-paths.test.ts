import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = 'packages/plinth/docs'

/** Recipes and the tutorial name the files that they create. */
const documents = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.md') && !/^(recipes\/|tutorial\.md)/.test(name),
)

const ofRepository =
  /^(src|tests|packages|scripts|cli|bench|attack|cluster|mutation|public|deploy)\//

/** Only in an app. */
const written = ['tests/core.json']

function pathsIn(text: string): string[] {
  const prose = text.replace(/^(`{3,})[\s\S]*?^\1$/gm, '')
  return [...prose.matchAll(/`([^`\n]+)`/g)]
    .flatMap(([, code = '']) => code.split(/\s+/))
    .map((word) => word.replace(/[:#].*$/, ''))
    .filter((path) => ofRepository.test(path) && !/[<*{…]|\(name\)/.test(path))
}

test('every path that a guide or a decision names exists', () => {
  const named = documents.flatMap((name) =>
    pathsIn(readFileSync(join(folder, name), 'utf8')).map((path) => ({ name, path })),
  )
  expect(named.length).toBeGreaterThan(150)
  expect(named.filter(({ path }) => !existsSync(path) && !written.includes(path))).toEqual([])
})
