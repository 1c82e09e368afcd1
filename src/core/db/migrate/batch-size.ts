import 'server-only'

/** Requests that change one of the rows wait for so long, and less than a second on a busy machine. */
const targetMs = 200
const firstSize = 100
const maxSize = 10_000

/** The number of rows that a batch changes in about that time, whatever a row costs. */
export class BatchSize {
  #size = firstSize

  async measure<Result>(work: (size: number) => Promise<Result>): Promise<Result> {
    const startedAt = performance.now()
    const result = await work(this.#size)
    const factor = targetMs / Math.max(1, performance.now() - startedAt)
    const size = Math.round(this.#size * Math.min(2, factor))
    this.#size = Math.min(Math.max(1, size), maxSize)
    return result
  }
}
