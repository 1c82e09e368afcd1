import { providersOf } from 'plinth/auth/oauth/providers/providers'
import { modules } from '@/modules'
import { config } from '@/plinth.config'

/** The OAuth providers of this app. */
export const installed = [
  ...providersOf(config),
  ...modules.flatMap(({ providers = [] }) => providers),
]
