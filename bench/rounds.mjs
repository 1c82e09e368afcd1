import { load, median } from './load.mjs'

/**
 * Loads the subjects one after another in each round, so that other work of the machine affects all
 * of them alike. Only ratios within a round are compared.
 *
 * @typedef {{ url: string, headers?: Record<string, string>, script?: string, next?: boolean }} Subject
 * @param {Record<string, Subject>} subjects
 */
export async function measureInRounds(wrk, subjects, profile) {
  const all = Object.entries(subjects)
  for (const [, subject] of all) {
    await load(wrk, subject.url, subject.next ? profile.nextWarmUp : profile.warmUp, subject)
  }
  const rounds = []
  for (let round = 0; round < profile.rounds; round += 1) {
    const figures = {}
    // Alternates the order, because the first subject of a round meets an idle server.
    for (const [name, subject] of round % 2 ? all.toReversed() : all) {
      figures[name] = await load(wrk, subject.url, profile.seconds, subject)
    }
    rounds.push(figures)
  }
  return rounds
}

/** The median of `rate`, `p50`, `p99` or `cpu` of a subject over all rounds. */
export function medianOf(rounds, name, figure) {
  return median(rounds.map((round) => round[name][figure]))
}

/** The median over all rounds of the ratio of two subjects. */
export function medianRatio(rounds, name, against, figure = 'rate') {
  return median(rounds.map((round) => round[name][figure] / round[against][figure]))
}
