import { CommandError } from '../../packages/plinth/scripts/terminal.mjs'

/** Other work wakes up PostgreSQL's processes later and in groups, which makes each poll cheaper. */
const maxOtherCores = 0.1
const maxDiscarded = 10

/** Discards samples during which other processes used the machine, and gives up if it stays busy. */
export async function quietSample(measure) {
  for (let discarded = 0; ; discarded += 1) {
    const sample = await measure()
    if (sample.otherCores <= maxOtherCores) return sample
    if (discarded === maxDiscarded) {
      throw new CommandError(
        `Not judged: other processes use ${sample.otherCores.toFixed(2)} cores, which hides the cost. ` +
          'Run this benchmark on a quiet machine.',
      )
    }
  }
}
