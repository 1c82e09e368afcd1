import { expect, test } from 'vitest'
import { quietSample } from '../../bench/coordination/quiet.mjs'

/** Samples with these cores of other work, one after the other. */
function samples(...otherCores: number[]) {
  let taken = 0
  return async () => ({ cores: 1, otherCores: otherCores[taken++] ?? 0 })
}

test('a sample of a busy machine is discarded', async () => {
  const measure = samples(0.5, 1.2, 0.05)
  expect(await quietSample(measure)).toEqual({ cores: 1, otherCores: 0.05 })
})

test('a machine that stays busy is not judged', async () => {
  const measure = samples(...Array<number>(20).fill(0.7))
  await expect(quietSample(measure)).rejects.toThrow('Not judged: other processes use 0.70 cores')
})
