/** Each is removed in turn. Every order of events must then have one in which the thief wins. */
export const removableRules = [
  'frozen account',
  'proof for a factor',
  'links that do not replace each other',
  'notice to the email before the change',
  'links that later changes extend',
  'target before the oldest change',
  'additions are removed',
  'removed methods come back',
  'old passwords stay away',
  'other links end',
  'opening ends sessions',
  'opening forgets browsers',
  'wait without proof',
  'admin for a later email',
  'proof older than the target',
  'password with code at the target only',
  'objections',
  'deleted accounts come back',
] as const

export type Rule = (typeof removableRules)[number]
