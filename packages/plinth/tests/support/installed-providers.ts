import { providersOf } from '#auth/oauth/providers/providers'
import { config } from '@/plinth.config'

/** The OAuth providers of `src/plinth.config.ts`. */
export const installed = providersOf(config)
