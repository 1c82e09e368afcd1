import type { Module } from '@/core/module'
import { api } from './api'
import { exportSecurity } from './data'
import { checkSecurity } from './doctor'
import { encryptAgain } from './factors/authenticator-app'
import { deleteExpired } from './factors/challenges'
import { noticeNewDevice } from './factors/new-device'
import { notice } from './notices'
import { mayResetFactors, mayUseSecurity } from './policy'
import { secondFactor } from './sign-in-step'

export const module: Module = {
  id: 'security',
  userMenu: [{ href: '/account/security', label: 'Security' }],
  pages: [{ href: '/account/security', label: 'Security', authorize: mayUseSecurity }],
  accountSections: [{ href: '/account/security', label: 'Security' }],
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
  doctor: checkSecurity,
  mail: [notice],
  api,
}
