import type { Module } from '@/core/module'
import { api } from './api'
import { exportSecurity } from './data'
import { encryptAgain } from './factors/authenticator-app'
import { deleteExpired } from './factors/challenges'
import { noticeNewDevice } from './factors/new-device'
import { countPasskeys } from './factors/passkeys'
import { notice } from './notices'
import { mayResetFactors, mayUseSecurity } from './policy'
import { PasskeyOption } from './sign-in/passkey-option'
import { secondFactor } from './sign-in-step'

export const module: Module = {
  id: 'security',
  userMenu: [{ href: '/account/security', label: 'Security' }],
  pages: [{ href: '/account/security', label: 'Security', authorize: mayUseSecurity }],
  accountSections: [{ href: '/account/security', label: 'Security' }],
  confirmMethods: [
    {
      href: '/sign-in/passkey',
      label: 'Confirm with a passkey',
      isAvailable: async ({ session }) => (await countPasskeys(session.user.id)) > 0,
    },
  ],
  signInMethods: [{ autoComplete: 'webauthn', Option: PasskeyOption }],
  signInSteps: [secondFactor],
  onSignIn: noticeNewDevice,
  userPages: [
    {
      label: 'Second factors',
      href: (userId) => `/security/users/${userId}`,
      authorize: mayResetFactors,
    },
  ],
  personalData: exportSecurity,
  sweep: async (max) => Math.max(await deleteExpired(max), await encryptAgain(max)),
  mail: [notice],
  api,
}
