import { load, median } from './load.mjs'

/**
 * Loads every subject for a moment, turn by turn, round after round: what else the machine does
 * then meets all of them alike, and only the ratios within a round are compared.
 *
 * @typedef {{ url: string, headers?: Record<string, string>, script?: string, next?: boolean }} Subject
 * @param {Record<string, Subject>} subjects
 */
export async function measureInRounds(wrk, subjects, pace) {
  const all = Object.entries(subjects)
  for (const [, subject] of all) {
    await load(wrk, subject.url, subject.next ? pace.nextWarmUp : pace.warmUp, subject)
  }
  const rounds = []
  for (let round = 0; round < pace.rounds; round += 1) {
    const figures = {}
    for (const [name, subject] of all) {
      figures[name] = await load(wrk, subject.url, pace.seconds, subject)
    }
    rounds.push(figures)
  }
  return rounds
}

/** The median of what `name` did in each round, of `rate`, `p50` or `p99`. */
export function medianOf(rounds, name, figure) {
  return median(rounds.map((round) => round[name][figure]))
}

/** The median of the ratios of two subjects within a round. */
export function medianRatio(rounds, name, against, figure = 'rate') {
  return median(rounds.map((round) => round[name][figure] / round[against][figure]))
}
