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
  ['nothing changed there', { ours: 'a', base: 'a', theirs: 'a' }, { outcome: 'same' }],
  ['edited here alone', { ours: 'b', base: 'a', theirs: 'a' }, { outcome: 'same' }],
  ['the same on both sides', { ours: 'b', base: 'a', theirs: 'b' }, { outcome: 'same' }],
  [
    'changed there alone',
    { ours: 'a', base: 'a', theirs: 'b' },
    { outcome: 'updated', content: 'b' },
  ],
  ['new there', { theirs: 'b' }, { outcome: 'added', content: 'b' }],
  ['gone there', { ours: 'a', base: 'a' }, { outcome: 'deleted', content: null }],
  [
    'gone there, edited here',
    { ours: 'b', base: 'a' },
    { outcome: 'kept', why: 'gone from the template, edited here' },
  ],
  [
    'changed there, deleted here',
    { base: 'a', theirs: 'b' },
    { outcome: 'kept', why: 'changed in the template, deleted here' },
  ],
  ['deleted here, unchanged there', { base: 'a', theirs: 'a' }, { outcome: 'same' }],
  [
    'not text',
    { ours: 'a\0', base: 'b\0', theirs: 'c\0' },
    { outcome: 'kept', why: 'not text, changed on both sides' },
  ],
])('%s', async (_, versions, expected) => {
  expect(await merge('file', versions)).toEqual(expected)
})

const lines = (...words: string[]) => `${words.join('\n')}\n`

test('edits in different places are both kept', async () => {
  const base = lines('one', 'two', 'three', 'four', 'five')
  expect(
    await merge('file', {
      base,
      ours: base.replace('one', 'ONE'),
      theirs: base.replace('five', 'FIVE'),
    }),
  ).toEqual({ outcome: 'merged', content: lines('ONE', 'two', 'three', 'four', 'FIVE') })
})

test('edits in the same place are marked as git marks them, and neither is lost', async () => {
  const { outcome, content } = await merge('file', { base: 'a\n', ours: 'b\n', theirs: 'c\n' })
  expect(outcome).toBe('conflict')
  expect(content).toBe('<<<<<<< this app\nb\n=======\nc\n>>>>>>> Plinth 2\n')
})

test('two new files at one place are a conflict', async () => {
  const { outcome, content } = await merge('file', { ours: 'b\n', theirs: 'c\n' })
  expect(outcome).toBe('conflict')
  expect(content).toContain('b\n=======\nc\n')
})

test('package.json is merged by what it says, not by its lines', async () => {
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

test('one value changed on both sides is a conflict, in package.json too', async () => {
  const versions = { base: '{"a":"1"}\n', ours: '{"a":"2"}\n', theirs: '{"a":"3"}\n' }
  expect((await merge('package.json', versions)).outcome).toBe('conflict')
})

test('what one side takes out and the other leaves alone is out', () => {
  const base = { a: 1, b: 2 }
  expect(mergeJson({ base, ours: { a: 1 }, theirs: base })).toEqual({ value: { a: 1 } })
  expect(mergeJson({ base, ours: base, theirs: { b: 2 } })).toEqual({ value: { b: 2 } })
  expect(mergeJson({ base, ours: { a: 1, b: 3 }, theirs: { a: 1 } })).toBeUndefined()
  expect(mergeJson({ base, ours: { a: 1 }, theirs: { a: 1, b: 3 } })).toBeUndefined()
})
