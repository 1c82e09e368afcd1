/** Durations in seconds. Next needs fifteen seconds of warm-up until its results are stable. */
export const thorough = { name: 'thorough', rounds: 7, seconds: 3, warmUp: 4, nextWarmUp: 16 }

/** For use during development: less than two minutes in total. */
export const quick = { name: 'quick', rounds: 3, seconds: 1, warmUp: 2, nextWarmUp: 4 }
