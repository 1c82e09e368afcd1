import type { InstalledProvider, SampleUser } from '@/core/auth/oauth/providers/provider'

/** What the userinfo endpoint returns, by what follows its URL. Undefined if there is no such URL. */
export function userinfoOf(provider: InstalledProvider, user: SampleUser, end: string): unknown {
  if (provider.type === 'oauth') return provider.sampleUserinfo(user)[end]
  const { id, name, email, verified } = user
  return end === '' ? { sub: id, name, email, email_verified: verified } : undefined
}
