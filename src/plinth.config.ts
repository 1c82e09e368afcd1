import type { Config } from 'plinth/config/app-config'

/** The app's options, described by their type. A start names every mistake. Data only: browsers get it. */
export const config: Config = {
  name: 'Plinth',
  providers: ['github', 'google'],
  sessions: { idle: '30 days', absolute: '90 days' },
  limits: {},
}
