import { expect, test } from 'vitest'
import { jsonChunks } from '#http/streams'

async function chunksOf(value: unknown): Promise<string[]> {
  const chunks: string[] = []
  for await (const chunk of jsonChunks(value)) chunks.push(chunk)
  return chunks
}

async function* items(count: number) {
  for (let index = 0; index < count; index += 1) yield { index, text: 'ä"\n' }
}

test.each([
  [{ a: 1, b: undefined, c: null, d: 'ä"\n' }],
  [{}],
  [[]],
  [[{ a: [1, 2] }]],
  [{ at: new Date(0), nested: { deep: { list: [1, new Date(1)] } } }],
  ['text'],
  [0],
  [null],
])('%j is as JSON.stringify writes it', async (value) => {
  expect((await chunksOf(value)).join('')).toBe(JSON.stringify(value))
})

test('an async iterable is an array, at any depth, empty or long', async () => {
  const chunks = await chunksOf({ none: items(0), nested: { many: items(3000) }, last: true })
  const parsed = JSON.parse(chunks.join(''))
  expect(parsed.none).toEqual([])
  expect(parsed.nested.many).toHaveLength(3000)
  expect(parsed.nested.many[2999]).toEqual({ index: 2999, text: 'ä"\n' })
  expect(parsed.last).toBe(true)
  expect(chunks.length).toBeGreaterThan(3)
  for (const chunk of chunks) expect(chunk.length).toBeLessThan(20_000)
})
