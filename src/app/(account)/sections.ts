import { configuredProviders } from 'plinth/auth/oauth/configured-providers'
import { env } from 'plinth/config/env'

/** The pages of the account. Connected accounts need a provider that is set up. */
export const sections = [
  { href: '/account', label: 'Profile' },
  { href: '/account/sign-in', label: 'Sign-in' },
  { href: '/account/sessions', label: 'Sessions' },
  {
    href: '/account/connected',
    label: 'Connected accounts',
    isShown: () => configuredProviders(env()).length > 0,
  },
  { href: '/account/data', label: 'Data' },
] as const
