/** The pages of the account. */
export const sections = [
  { href: '/account', label: 'Profile' },
  { href: '/account/security', label: 'Security' },
  { href: '/account/sessions', label: 'Sessions' },
  { href: '/account/connected', label: 'Connected accounts' },
  { href: '/account/data', label: 'Data' },
] as const
