import { expect, test } from 'vitest'
import { mergeFile } from '../../cli/source/merge/merge-file.mjs'
import { mergeJson } from '../../cli/source/merge/merge-json.mjs'

const labels = ['this app', 'Plinth 1', 'Plinth 2']
const merge = async (path: string, versions: { ours?: string; base?: string; theirs?: string }) => {
  const content = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text))
  const buffers = {
    ours: content(versions.ours),
    base: content(versions.base),
    theirs: content(versions.theirs),
  }
  const { content: merged, ...rest } = await mergeFile(path, buffers, labels)
  return { ...rest, ...(merged !== undefined && { content: merged?.toString() ?? null }) }
}

test.each([
  ['unchanged', { ours: 'a', base: 'a', theirs: 'a' }, { outcome: 'same' }],
  ['edited in the app only', { ours: 'b', base: 'a', theirs: 'a' }, { outcome: 'same' }],
  ['the same change on both sides', { ours: 'b', base: 'a', theirs: 'b' }, { outcome: 'same' }],
  [
    'changed in the template only',
    { ours: 'a', base: 'a', theirs: 'b' },
    { outcome: 'updated', content: 'b' },
  ],
  ['new in the template', { theirs: 'b' }, { outcome: 'added', content: 'b' }],
  ['deleted in the template', { ours: 'a', base: 'a' }, { outcome: 'deleted', content: null }],
  [
    'deleted in the template, edited in the app',
    { ours: 'b', base: 'a' },
    { outcome: 'kept', why: 'deleted in the template, edited here' },
  ],
  [
    'changed in the template, deleted in the app',
    { base: 'a', theirs: 'b' },
    { outcome: 'kept', why: 'changed in the template, deleted here' },
  ],
  [
    'deleted in the app, unchanged in the template',
    { base: 'a', theirs: 'a' },
    { outcome: 'same' },
  ],
  [
    'binary',
    { ours: 'a\0', base: 'b\0', theirs: 'c\0' },
    { outcome: 'kept', why: 'binary, changed on both sides' },
  ],
])('merges a file: %s', async (_, versions, expected) => {
  expect(await merge('file', versions)).toEqual(expected)
})

const lines = (...words: string[]) => `${words.join('\n')}\n`

test('keeps edits in different places', async () => {
  const base = lines('one', 'two', 'three', 'four', 'five')
  expect(
    await merge('file', {
      base,
      ours: base.replace('one', 'ONE'),
      theirs: base.replace('five', 'FIVE'),
    }),
  ).toEqual({ outcome: 'merged', content: lines('ONE', 'two', 'three', 'four', 'FIVE') })
})

test('marks edits in the same place as a git conflict and keeps both', async () => {
  const { outcome, content } = await merge('file', { base: 'a\n', ours: 'b\n', theirs: 'c\n' })
  expect(outcome).toBe('conflict')
  expect(content).toBe('<<<<<<< this app\nb\n=======\nc\n>>>>>>> Plinth 2\n')
})

test('reports a conflict if both sides add the same file', async () => {
  const { outcome, content } = await merge('file', { ours: 'b\n', theirs: 'c\n' })
  expect(outcome).toBe('conflict')
  expect(content).toContain('b\n=======\nc\n')
})

test('merges package.json by keys, not by lines', async () => {
  const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`
  const { outcome, content } = await merge('package.json', {
    base: json({ dependencies: { b: '1', d: '1' } }),
    ours: json({ dependencies: { a: '1', b: '1', c: '1', d: '1' }, mine: true }),
    theirs: json({ dependencies: { b: '2', bb: '1', d: '2' } }),
  })
  expect(outcome).toBe('merged')
  expect(content).toBe(
    json({ dependencies: { a: '1', b: '2', bb: '1', c: '1', d: '2' }, mine: true }),
  )
})

test('reports a conflict if both sides change the same value in package.json', async () => {
  const versions = { base: '{"a":"1"}\n', ours: '{"a":"2"}\n', theirs: '{"a":"3"}\n' }
  expect((await merge('package.json', versions)).outcome).toBe('conflict')
})

test('removes a key that one side removed and the other did not change', () => {
  const base = { a: 1, b: 2 }
  expect(mergeJson({ base, ours: { a: 1 }, theirs: base })).toEqual({ value: { a: 1 } })
  expect(mergeJson({ base, ours: base, theirs: { b: 2 } })).toEqual({ value: { b: 2 } })
  expect(mergeJson({ base, ours: { a: 1, b: 3 }, theirs: { a: 1 } })).toBeUndefined()
  expect(mergeJson({ base, ours: { a: 1 }, theirs: { a: 1, b: 3 } })).toBeUndefined()
})
