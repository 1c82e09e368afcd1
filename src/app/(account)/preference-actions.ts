'use server'

import { themeField, timeZoneField } from 'plinth/auth/accounts/fields'
import { storePreferences } from 'plinth/auth/accounts/users'
import { setActionThemeCookie } from 'plinth/auth/sessions/next-session'
import { mutation } from 'plinth/guard/mutation'
import { z } from 'zod'
import { mayUseAccount } from './policy'

export const updatePreferences = mutation(
  {
    name: 'update_preferences',
    authorize: mayUseAccount,
    rateLimit: { times: 60, seconds: 60 },
    input: z.object({ timeZone: timeZoneField.nullable(), theme: themeField.nullable() }),
    keeps: ['timeZone', 'theme'],
    target: ({ scope }) => scope.session.user.id,
    redirectTo: '/account',
  },
  async ({ tx, scope, input, notify }) => {
    notify('Preferences saved.')
    return storePreferences(tx, scope.session.user.id, input)
  },
  async ({ result, scope }) => {
    if (result.theme && !scope.bearer) await setActionThemeCookie(result.theme)
    return result
  },
)
