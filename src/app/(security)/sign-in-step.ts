import 'server-only'
import { cookies } from 'next/headers'
import { cookieNames } from 'plinth/auth/sessions/cookie'
import type { SignInStep } from 'plinth/auth/sessions/steps'
import { env } from 'plinth/config/env'
import type { SessionUser } from 'plinth/http/scope'
import { prepareApp } from './data/factors/authenticator-app'
import { isRemembered } from './data/factors/browsers'
import {
  type Challenge,
  challengeId,
  createChallenge,
  findChallenge,
} from './data/factors/challenges'
import { findFactors, isProtected, methodsOf } from './data/factors/factors'

/** After a password, a link or a provider: a second factor, or setting one up. */
export const secondFactor: SignInStep = {
  isRequired: async (reader, scope, user) => {
    const factors = await findFactors(user.id, reader)
    return isProtected(factors) ? !(await isRemembered(reader, scope, user)) : mustEnroll(user)
  },
  start: async (transaction, _scope, proof) => {
    const factors = await findFactors(proof.user.id, transaction)
    const challenge = await createChallenge(transaction, proof)
    if (isProtected(factors)) {
      return { challenge, methods: methodsOf(factors), href: '/sign-in/verify' }
    }
    const preparedFor = challengeId(challenge)
    await prepareApp(transaction, { userId: proof.user.id, preparedFor })
    return { challenge, methods: [], href: '/sign-in/enroll' }
  },
}

/** Whether the settings require a second factor of this user. */
export function mustEnroll({ role }: Pick<SessionUser, 'role'>): boolean {
  const { SECOND_FACTOR } = env()
  return SECOND_FACTOR === 'everyone' || (SECOND_FACTOR === 'admins' && role === 'admin')
}

/** For the page after an action that has signed in: its scope is still that of before. */
export async function hasSessionCookie(): Promise<boolean> {
  return (await cookies()).has(cookieNames(env().AUTH_URL).session)
}

type PendingChallenge = Challenge & { id: string; token: string }

/** The sign-in that this browser has started. For pages and actions. */
export async function currentChallenge(): Promise<PendingChallenge | undefined> {
  const { challenge: name } = cookieNames(env().AUTH_URL)
  const token = (await cookies()).get(name)?.value
  const challenge = await findChallenge(token)
  return token && challenge ? { ...challenge, id: challengeId(token), token } : undefined
}
