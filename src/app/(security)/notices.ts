import 'server-only'
import type { Database } from 'plinth/db/client'
import { mail } from 'plinth/mail/mail'
import { z } from 'zod'
import { accountNotice } from '@/mail/account-messages'

const noticeData = z.object({
  kind: z.enum(['code_used', 'factors_reset', 'tries_used_up', 'proofs_failed', 'new_device']),
  /** The device, or what began the sign-in. */
  name: z.string().optional(),
  /** How many recovery codes are left. */
  left: z.number().optional(),
})

export type Notice = z.input<typeof noticeData>

type Text = { title: string; text: string }

const changed = 'If this was you, there is nothing to do.'

const texts: Record<Notice['kind'], (notice: Notice) => Text> = {
  code_used: ({ left = 0 }) => ({
    title: 'A recovery code was used',
    text: `A recovery code of your account was used. ${leftText(left)} ${changed}`,
  }),
  factors_reset: () => ({
    title: 'Your second factors were removed',
    text: 'An admin removed your authenticator app, passkeys and recovery codes, and signed you out on all devices. Set up a second factor again after you sign in.',
  }),
  tries_used_up: ({ name }) => ({
    title: 'Someone may be trying to sign in as you',
    text: `Someone began to sign in to your account with ${proofText(name)} and then failed five times to confirm it. They were not signed in. If this was not you, change your password and look at your account.`,
  }),
  proofs_failed: () => ({
    title: 'Someone may be using your account',
    text: 'Someone who was signed in to your account failed five times to prove that it is them, to change how it is protected or to delete it. Nothing was changed, and they were signed out. If this was not you, change your password and look at your account.',
  }),
  new_device: ({ name }) => ({
    title: 'New sign-in to your account',
    text: `Your account was used to sign in on a new device: ${name}. ${changed}`,
  }),
}

function proofText(by = 'password'): string {
  if (by === 'password') return 'your password'
  return by === 'link' ? 'a link from your mailbox' : `your ${by} account`
}

function leftText(left: number): string {
  if (left === 0) return 'No codes are left: create new ones.'
  return left === 1 ? 'One code is left.' : `${left} codes are left.`
}

export const notice = mail(
  { purpose: 'security.notice', data: noticeData },
  async ({ email, data, origin }) => {
    const link = { href: `${origin}/account/security`, label: 'Review your security settings' }
    return accountNotice(email, { ...texts[data.kind](data), link })
  },
)

/** In the transaction of the change. */
export function queueNotice(transaction: Database, email: string, data: Notice): Promise<void> {
  return notice.queue(transaction, { email, data })
}
