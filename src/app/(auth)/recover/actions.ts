'use server'

import { redirect } from 'next/navigation'
import { recoveryCodesPage } from 'plinth/auth/accounts/change-proofs'
import { newPasswordField } from 'plinth/auth/accounts/fields'
import { hashPassword, reserveHash, verifyPassword } from 'plinth/auth/passwords/hash'
import { passwordError } from 'plinth/auth/passwords/new-password'
import { finishSignIn } from 'plinth/auth/sessions/next-session'
import { action } from 'plinth/guard/action'
import { anyone } from 'plinth/guard/policy'
import { passwordRateLimited } from 'plinth/guard/rate-limited'
import { wrongPassword } from 'plinth/guard/recent-sign-in'
import { attemptPassword } from 'plinth/rate-limits/password-attempts'
import { recognizeBrowser } from 'plinth/recovery/browser'
import { completeRecovery as completeWithLink } from 'plinth/recovery/complete-recovery'
import { findProvable, followRecoveryLink, storeRecoveryProof } from 'plinth/recovery/follow-link'
import { refuse } from 'plinth/universal/action-result'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'

const token = z.string().max(100)

const rateLimit = { times: 30, seconds: 600 }

const pageOf = (token: string) => urlWith('/recover', { token })

function invalidLink() {
  return refuse('conflict', 'This link no longer works.')
}

/** Freezes the account. With `left` the owner says that they no longer read the earlier email. */
export const openRecovery = action(
  {
    name: 'open_recovery',
    authorize: anyone,
    rateLimit,
    input: z.object({ token, left: z.literal('yes').optional() }),
  },
  async ({ scope, input: { token, left } }) => {
    const browser = await recognizeBrowser()
    const followed = await followRecoveryLink(scope, {
      token,
      browser,
      hasLeftEmail: left === 'yes',
    })
    return followed ? redirect(pageOf(token)) : invalidLink()
  },
)

/** The password at the target, also one that was replaced since. */
export const proveRecoveryPassword = action(
  {
    name: 'prove_to_recover',
    authorize: anyone,
    rateLimit,
    input: z.object({
      token,
      currentPassword: z.string('Enter your password.').min(1, 'Enter your password.').max(1000),
    }),
  },
  async ({ scope, input: { token, currentPassword } }) => {
    const browser = await recognizeBrowser()
    const attempt = await reserveHash(scope, () =>
      attemptPassword(scope, token, async () => {
        const [password] = await findProvable(token, 'password')
        const isCorrect = await verifyPassword(hashIn(password?.rows), currentPassword)
        const proved = isCorrect && password ? { method: password } : undefined
        const proving = { token, browser, kind: 'password' as const }
        return (await storeRecoveryProof(scope, proving, () => proved)) || undefined
      }),
    )
    if (attempt.refused) return passwordRateLimited(attempt.refused)
    if (!attempt.result) {
      return wrongPassword('This is not the password that the account had before the changes.')
    }
    return redirect(pageOf(token))
  },
)

function hashIn(rows: readonly unknown[] = []): string | undefined {
  return (rows[0] as { hash?: string } | undefined)?.hash
}

/** Restores the account and signs in. */
export const completeRecovery = action(
  {
    name: 'complete_recovery',
    authorize: anyone,
    rateLimit,
    input: z.object({
      token,
      password: newPasswordField.optional(),
      email: z.string().max(254).optional(),
      keep: z.array(z.string().max(500)).max(100).default([]),
    }),
  },
  async ({ scope, input: { token, password, email, keep } }) => {
    const message = password && (await passwordError(password, { email: email ?? '' }))
    if (message) return refuse('invalid', undefined, [{ field: 'password', message }])
    const hash = password && (await reserveHash(scope, () => hashPassword(password)))
    const browser = await recognizeBrowser()
    const completed = await completeWithLink(scope, {
      token,
      browser,
      hash: hash || undefined,
      email,
      kept: keep.map(methodOf),
    })
    if (!completed) return invalidLink()
    if ('takenEmail' in completed) return takenEmail(completed)
    const next = completed.needsCodes ? recoveryCodesPage() : undefined
    return redirect(await finishSignIn(completed.signedIn, next ?? '/recover/done'))
  },
)

function takenEmail({ takenEmail }: { takenEmail: string }) {
  return refuse(
    'conflict',
    `Another account has the email ${takenEmail} by now. Choose another one, or ask an admin for help.`,
  )
}

/** The value of a checkbox: kind and id. */
function methodOf(value: string) {
  const [kind = '', ...id] = value.split(' ')
  return { kind: kind as never, id: id.join(' ') }
}
