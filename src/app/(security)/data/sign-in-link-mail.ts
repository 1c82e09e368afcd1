import 'server-only'
import { env } from 'plinth/config/env'
import { mail } from 'plinth/mail/mail'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'
import { signInLink } from '../mail/messages'
import { createSignInLink, linkMinutes } from './sign-in-links'

/**
 * The link and the code exist in the message only. Like every mail that anyone can request, it takes
 * the same work with and without an account.
 */
export const signInLinkMail = mail(
  {
    purpose: 'security.sign_in_link',
    data: z.object({
      /** The SHA-256 of the secret in the browser's cookie. */
      browser: z.hex().length(64),
      callbackUrl: z.string().optional(),
    }),
  },
  async ({ email, data: { browser, callbackUrl }, origin }) => {
    if (env().SIGN_IN_LINK === 'off') return undefined
    const { token, code, isStored } = await createSignInLink(email, Buffer.from(browser, 'hex'))
    const link = origin + urlWith('/sign-in/link/confirm', { token, callbackUrl })
    const message = signInLink(email, { link, code, minutes: linkMinutes })
    return isStored ? message : { ...message, discard: true }
  },
)
