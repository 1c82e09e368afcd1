import 'server-only'
import type { SignedInScope } from 'plinth/guard/policy'
import type { HomeCardContent } from 'plinth/universal/home-card'
import { countSessions } from './sessions'
import { findSignInMethods } from './sign-in-methods'
import { listSignIns } from './sign-ins'

const shown = 3

/** Where the account is used, so that its owner notices what they did not do. */
export async function accountCard(scope: SignedInScope): Promise<HomeCardContent> {
  const [devices, { password }, signIns] = await Promise.all([
    countSessions(scope),
    findSignInMethods(scope),
    listSignIns(scope),
  ])
  return {
    text: devices === 1 ? 'Signed in on this device only.' : `Signed in on ${devices} devices.`,
    items: signIns.slice(0, shown).map(({ at, ip, succeeded }) => ({
      href: '/account/sign-in',
      label: succeeded ? 'Signed in' : 'Failed sign-in',
      detail: ip,
      at,
    })),
    actions: [
      ...(password ? [] : [{ href: '/account/sign-in', label: 'Set a password' }]),
      ...(devices > 1 ? [{ href: '/account/sessions', label: 'Review sessions' }] : []),
    ],
  }
}
