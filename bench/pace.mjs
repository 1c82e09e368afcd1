/** How long is measured. Next needs fifteen seconds before its figures settle. */
export const thorough = { name: 'thorough', rounds: 7, seconds: 3, warmUp: 4, nextWarmUp: 16 }

/** For a look while working on something: whole in less than two minutes. */
export const quick = { name: 'quick', rounds: 3, seconds: 1, warmUp: 2, nextWarmUp: 4 }
