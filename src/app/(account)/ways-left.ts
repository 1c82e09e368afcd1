export type WaysIn = {
  password: boolean
  /** The providers that are linked. */
  linked: readonly string[]
}

/** Whether somebody could still sign in without this provider. One whose keys are gone is no way. */
export function canDoWithout(
  provider: string,
  { password, linked }: WaysIn,
  configured: readonly string[],
): boolean {
  return password || linked.some((other) => other !== provider && configured.includes(other))
}
