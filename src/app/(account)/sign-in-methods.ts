export type SignInMethods = {
  password: boolean
  /** The ids of the linked providers. */
  linked: readonly string[]
}

/** Whether another sign-in method remains. A provider that is not configured does not count. */
export function canUnlink(
  provider: string,
  { password, linked }: SignInMethods,
  configured: readonly string[],
): boolean {
  return password || linked.some((other) => other !== provider && configured.includes(other))
}
