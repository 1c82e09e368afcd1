import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { recipes } from './support/recipes'

const readme = readFileSync('README.md', 'utf8')

test('README.md names every benchmark', () => {
  const [, suites = ''] =
    /const suites = \{\n([\s\S]*?)\n\}/.exec(readFileSync('bench/run-bench.mjs', 'utf8')) ?? []
  const benchmarks = [...suites.matchAll(/^ {2}'?([\w-]+)'?:/gm)].map(([, name = '']) => name)
  expect(benchmarks).toContain('capacity')
  const commands =
    readme
      .match(/^.*npm run bench.*$/gm)
      ?.join('\n')
      .split(/[\s,]+/) ?? []
  expect(benchmarks.filter((name) => !commands.includes(name))).toEqual([])
})

test('README.md summarizes every recipe', () => {
  const [, summary = ''] =
    /\(packages\/plinth\/docs\/recipes\/README\.md\): ([^[]*)\n- /.exec(readme) ?? []
  expect(summary.split(/,\s+/)).toHaveLength(recipes.length)
})
