import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../cli/support/template'
import { applySteps } from './support/apply-steps'
import { parseDocument } from './support/parse-document'

let folder: string

beforeEach(() => {
  folder = temporaryFolder()
  writeFileSync(join(folder, 'list.txt'), 'one\ntwo\ntwo three\n')
})

const read = (path: string) => readFileSync(join(folder, path), 'utf8')
const follow = (markdown: string) => applySteps(parseDocument(markdown), folder)
const block = (text: string, language = 'text') => `\n\`\`\`${language}\n${text}\n\`\`\`\n`

test('creates files in new folders, with code blocks of their own', async () => {
  await follow('# Title\n\nText.\n\nFirst. Create `a/b.md`:\n\n````md\n```sh\nx\n```\n````\n')
  expect(read('a/b.md')).toBe('```sh\nx\n```\n')
})

test('replaces whole lines and appends', async () => {
  const edit = `In \`list.txt\`, replace:\n${block('two')}\nWith:\n${block('2\n$&')}`
  const changed = await follow(`${edit}\nIn \`list.txt\`, append:\n${block('four')}`)
  expect(read('list.txt')).toBe('one\n2\n$&\ntwo three\n\nfour\n')
  expect(changed).toEqual(['list.txt'])
})

test('runs commands and compares their output', async () => {
  const run = `Run:\n${block('echo "took 12 ms"; echo; echo done > out; cat out', 'sh')}`
  await follow(`${run}\nIt prints:\n${block('took … ms\ndone')}`)
  expect(read('out')).toBe('done\n')
  await expect(follow(`${run}\nIt prints:\n${block('done\ntook')}`)).rejects.toThrow('instead of')
  await expect(follow(`Run:\n${block('false | true', 'sh')}`)).rejects.toThrow('Exit code 1')
})

test.each([
  ['a block without a sentence', `Text:\n${block('x')}`, 'Line 3: No sentence'],
  ['a block after another', `Create \`a\`:\n${block('x')}${block('y')}`, 'No sentence'],
  ['an unknown sentence', `Change \`a\`:\n${block('x')}`, 'No sentence'],
  ['a sentence without a block', 'Create `a`:\n\nText.\n', 'Line 1: No code block'],
  ['a sentence at the end', 'Text.\n\nRun:\n', 'Line 3: No code block'],
  ['a block without an end', 'Create `a`:\n\n```ts\nx\n', 'Line 3: This code block has no end'],
  ['an indented block', 'Create `a`:\n\n  ```ts\n  x\n  ```\n', 'in the first column'],
  ['a replacement without its end', `In \`a\`, replace:\n${block('x')}`, 'No `With:`'],
  ['a replacement of nothing', `With:\n${block('x')}`, 'follows no `replace:`'],
  ['an output of nothing', `It prints:\n${block('x')}`, 'follows no `Run:`'],
  ['a command that is not sh', `Run:\n${block('x', 'ts')}`, 'must be sh'],
  ['a path outside', `Create \`../a\`:\n${block('x')}`, 'not a path in the project'],
])('rejects %s', (_, markdown, message) => {
  expect(() => parseDocument(markdown)).toThrow(message)
})

test.each([
  ['a file that exists', `Create \`list.txt\`:\n${block('x')}`, 'already exists'],
  ['a file that does not exist', `In \`a\`, append:\n${block('x')}`, 'does not exist'],
  [
    'lines that are absent',
    `In \`list.txt\`, replace:\n${block('three')}\nWith:\n${block('x')}`,
    '0',
  ],
])('fails on %s', async (_, markdown, message) => {
  await expect(follow(markdown)).rejects.toThrow(message)
})

test('fails on lines that occur twice', async () => {
  writeFileSync(join(folder, 'list.txt'), 'one\ntwo\none\n')
  const edit = `In \`list.txt\`, replace:\n${block('one')}\nWith:\n${block('x')}`
  await expect(follow(edit)).rejects.toThrow('list.txt has these lines 2 times, not once')
})
