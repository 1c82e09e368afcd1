import 'server-only'
import { createMailCode, type MailCodeFor, mailCodeMinutes } from 'plinth/auth/accounts/mail-codes'
import { mail } from 'plinth/mail/mail'
import { z } from 'zod'
import { confirmChange } from '@/mail/account-messages'
import { isEmailOfChallenge } from './factors/challenges'

/** The code in the mail confirms a sign-in that is about to set up a factor. */
export function codeForEnrollment(challengeId: string, email: string): MailCodeFor {
  return { key: `enrollment ${challengeId}`, email }
}

export const enrollmentCodeMail = mail(
  {
    purpose: 'security.enrollment_code',
    /** The SHA-256 of the token in the browser's cookie. */
    data: z.object({ challenge: z.hex().length(64) }),
  },
  async ({ email, data: { challenge }, origin }) => {
    if (!(await isEmailOfChallenge(challenge, email))) return undefined
    const code = await createMailCode(codeForEnrollment(challenge, email))
    const what = 'sign in and set up a second factor'
    const resetUrl = `${origin}/forgot`
    return confirmChange(email, { code, what, minutes: mailCodeMinutes, resetUrl })
  },
)
