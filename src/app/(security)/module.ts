import type { Module } from 'plinth/modules/module'
import { api } from './api'
import { confirmEmailMail } from './data/email-change-mail'
import { enrollmentCodeMail } from './data/enrollment-code'
import { encryptAgain } from './data/factors/authenticator-app'
import { deleteExpired } from './data/factors/challenges'
import { listFactors } from './data/factors/factors'
import { methodTables } from './data/factors/method-tables'
import { noticeNewDevice } from './data/factors/new-device'
import { countPasskeys } from './data/factors/passkeys'
import { exportSecurity } from './data/overview'
import { endRestoredProofs } from './data/restored-database'
import { endEarlierProofs } from './data/revoked-sessions'
import { signInLinkMail } from './data/sign-in-link-mail'
import { checkSecurity } from './doctor'
import { notice } from './notices'
import { mayResetFactors, mayUseSecurity } from './policy'
import { hasSignInLinks } from './sign-in/link/setting'
import { PasskeyOption } from './sign-in/passkey-option'
import { secondFactor } from './sign-in-step'
import { SignInLinkOption } from './ui/sign-in-link-option'

export const module: Module = {
  id: 'security',
  userMenu: [{ href: '/account/security', label: 'Security' }],
  pages: [
    { href: '/account/security', label: 'Security', authorize: mayUseSecurity },
    { href: '/account/email', label: 'Email', authorize: mayUseSecurity },
  ],
  accountSections: [
    { href: '/account/security', label: 'Security' },
    { href: '/account/email', label: 'Email' },
  ],
  confirmMethods: [
    {
      href: '/sign-in/passkey',
      label: 'Confirm with a passkey',
      isAvailable: async ({ session }) => (await countPasskeys(session.user.id)) > 0,
    },
  ],
  signInMethods: [
    { autoComplete: 'webauthn', Option: PasskeyOption },
    { Option: SignInLinkOption, isShown: hasSignInLinks },
  ],
  signInSteps: [secondFactor],
  factors: {
    find: listFactors,
    page: '/sign-in/factor',
    recoveryPage: '/recover/factor',
    codesPage: '/account/security/codes',
  },
  signInMethodTables: methodTables,
  onSignIn: noticeNewDevice,
  onRevoke: endEarlierProofs,
  userPages: [
    {
      label: 'Second factors',
      href: (userId) => `/security/users/${userId}`,
      authorize: mayResetFactors,
    },
  ],
  personalData: exportSecurity,
  sweep: async (max) => (await deleteExpired(max)) + (await encryptAgain(max)),
  onRestore: endRestoredProofs,
  doctor: checkSecurity,
  mail: [notice, signInLinkMail, enrollmentCodeMail, confirmEmailMail],
  api,
}
