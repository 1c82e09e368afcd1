import { config } from '@/plinth.config'

/** The text of the landing page, for the page and for `GET /api/demo/landing`. */
export const landing = {
  headline: `Welcome to ${config.name}`,
  lead: 'Sign in to continue, or look around first.',
  features: [
    {
      title: 'On every device',
      text: 'Pages adapt to phones and large screens, in light and dark.',
    },
    {
      title: 'For everyone',
      text: 'Everything works with a keyboard, with a screen reader and without JavaScript.',
    },
    {
      title: 'Safe sessions',
      text: 'When you sign out, the session ends immediately, on every server.',
    },
    {
      title: 'Clear permissions',
      text: 'Each page and each change checks what your role allows.',
    },
    {
      title: 'Connected',
      text: 'Other programs can use the HTTP API. Its reference is always up to date.',
    },
    {
      title: 'Fast',
      text: 'Pages are small and load quickly, also on slow connections.',
    },
  ],
}
