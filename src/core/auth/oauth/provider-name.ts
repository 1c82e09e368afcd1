import 'server-only'
import { installed } from '@/core/auth/oauth/providers/installed'

/** The id of a provider that is no longer installed. */
export function providerName(id: string): string {
  return installed.find((provider) => provider.id === id)?.name ?? id
}
