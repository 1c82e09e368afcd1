import { expect, test } from 'vitest'
import { timeDevLoop } from '../../../bench/dev-loop.mjs'

test('an edited page, component, API route and job work in npm run dev without a restart', async () => {
  const parts = await timeDevLoop(1)
  expect(parts.map(({ name }) => name)).toEqual(['a page', 'a component', 'an API route', 'a job'])
}, 180_000)
