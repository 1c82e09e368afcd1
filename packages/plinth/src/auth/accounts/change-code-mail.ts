import { z } from 'zod'
import { changes, changeTexts, codeForChange } from '#auth/accounts/change-proofs'
import { createMailCode, mailCodeMinutes } from '#auth/accounts/mail-codes'
import { readSessionById } from '#auth/sessions/read'
import { env } from '#config/env'
import { database } from '#db/client'
import { accountMessages } from '#mail/account-messages'
import type { ComposeMail } from '#mail/mail'

const changeData = z.object({ sessionId: z.uuid(), change: z.enum(changes) })

/** Undefined if the session has ended, or if the account has another email by now. */
export const composeChangeCode: ComposeMail = async ({ email, data }) => {
  const { sessionId, change } = changeData.parse(data)
  const session = await readSessionById(database(), sessionId)
  if (session?.user.email !== email) return undefined
  const code = await createMailCode(codeForChange(session, change))
  const resetUrl = `${env().AUTH_URL}/forgot`
  const what = changeTexts[change]
  return accountMessages
    .get()
    .confirmChange(email, { code, what, minutes: mailCodeMinutes, resetUrl })
}
