'use server'

import { z } from 'zod'
import { themeField, timeZoneField } from '@/core/auth/accounts/fields'
import { storePreferences } from '@/core/auth/accounts/users'
import { setActionThemeCookie } from '@/core/auth/sessions/next-session'
import { mutation } from '@/core/guard/mutation'
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
