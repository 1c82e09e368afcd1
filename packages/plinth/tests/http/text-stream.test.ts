import { expect, test } from 'vitest'
import { textStream } from '#http/streams'

test('a stream has the text of its chunks', async () => {
  async function* chunks() {
    yield 'a'
    yield 'ä'
  }
  expect(await new Response(textStream(chunks())).text()).toBe('aä')
})

test('nothing is generated before it is read, or after the client has disconnected', async () => {
  const generated: number[] = []
  let ended = false
  async function* chunks() {
    try {
      for (let count = 1; ; count += 1) {
        generated.push(count)
        yield String(count)
      }
    } finally {
      ended = true
    }
  }
  const reader = textStream(chunks()).getReader()
  await new Promise(setImmediate)
  expect(generated).toEqual([])
  await reader.read()
  await reader.read()
  expect(generated).toEqual([1, 2])
  await reader.cancel()
  expect({ generated, ended }).toEqual({ generated: [1, 2], ended: true })
})
