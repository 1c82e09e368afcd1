import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { run } from 'plinth/testing'
import { expect, onTestFinished, test } from 'vitest'

/** The runner with our reporter on a file with these tests. Inside of the project, for its packages. */
async function report(runner: string, args: string[], file: string, text: string) {
  const parent = resolve('test-results')
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'reporter-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, file), text)
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {}')
  writeFileSync(join(folder, 'playwright.config.ts'), `export default { outputDir: './results' }`)
  const TEST_REPORT = join(folder, 'report.json')
  const reporter = resolve(`packages/plinth/scripts/testing/${runner}-reporter.mjs`)
  const running = run(
    process.execPath,
    [...args, `--reporter=${reporter}`],
    { TEST_REPORT },
    folder,
  )
  await running.exited
  const lines = stripVTControlCharacters(running.output()).split('\n')
  return { lines, result: JSON.parse(readFileSync(TEST_REPORT, 'utf8')) }
}

const tests = `
test.describe("a (b)", () => {
  test("isn't $5", () => { console.log('noise'); expect(1).toBe(2) })
  test('passes', () => { console.log('quiet'.toUpperCase()) })
  test.skip('is skipped', () => {})
})`

test('Vitest: a line for the file, the errors, and a command for each failed test', async () => {
  const { lines, result } = await report(
    'vitest',
    [resolve('node_modules/vitest/vitest.mjs'), 'run'],
    'some.test.ts',
    `import { expect, test, describe } from 'vitest'${tests.replace('test.describe', 'describe')}`,
  )
  expect(lines.filter((line) => line.startsWith('✗'))).toEqual([
    expect.stringMatching(/^✗ some\.test\.ts {2}1 passed, 1 failed, 1 skipped {2}[\d.]+ s$/),
  ])
  expect(lines.join('\n')).toContain('expected 1 to be 2')
  expect(lines.join('\n')).not.toContain('QUIET')
  expect(result).toEqual({
    passed: 1,
    failures: [
      {
        name: `some.test.ts › a (b) › isn't $5`,
        command: `npm test -- some.test.ts -t '^a \\(b\\) isn'\\''t \\$5$'`,
      },
    ],
    skips: [expect.objectContaining({ name: 'some.test.ts › a (b) › is skipped' })],
    files: [{ name: 'some.test.ts', seconds: expect.any(Number) }],
  })
})

test('Vitest: a file that cannot be loaded is a failure', async () => {
  const args = [resolve('node_modules/vitest/vitest.mjs'), 'run']
  const { result } = await report('vitest', args, 'broken.test.ts', `throw new Error('no')`)
  expect(result.failures).toEqual([
    { name: 'broken.test.ts', command: 'npm test -- broken.test.ts' },
  ])
})

test('Playwright: a line for the file, the errors, and a command for each failed test', async () => {
  const { lines, result } = await report(
    'playwright',
    [resolve('node_modules/@playwright/test/cli.js'), 'test'],
    'some.spec.ts',
    `import { expect, test } from '@playwright/test'${tests}`,
  )
  expect(lines.filter((line) => line.startsWith('✗'))).toEqual([
    expect.stringMatching(/^✗ \S+some\.spec\.ts {2}1 passed, 1 failed, 1 skipped {2}[\d.]+ s$/),
  ])
  expect(lines.join('\n')).toContain('expect(received).toBe(expected)')
  expect(result).toEqual({
    passed: 1,
    failures: [
      {
        name: expect.stringMatching(/some\.spec\.ts › a \(b\) › isn't \$5$/),
        command: expect.stringMatching(/^npm test -- \S+some\.spec\.ts:3$/),
      },
    ],
    skips: [expect.objectContaining({ name: expect.stringContaining('is skipped') })],
    files: [{ name: expect.stringContaining('some.spec.ts'), seconds: expect.any(Number) }],
  })
})
