import 'server-only'
import { z } from 'zod'
import { findUserId } from '@/core/auth/accounts/find-user-id'
import { createLink, type Link, type LinkPurpose, linkUrl } from '@/core/auth/accounts/links'
import { env } from '@/core/config/env'
import { roles } from '@/core/config/users'
import { database } from '@/core/db/client'
import type { Message } from '@/core/mail/deliver'
import type { AccountMailPurpose } from '@/core/mail/queue'
import type { ComposeMail } from '@/core/mail/worker'

/** Of mail about a linked or unlinked account. */
const linkedAccountData = z.object({ provider: z.string(), name: z.string() })

/** Of mail with a link that leads to another page in the end. */
const callbackData = z.object({ callbackUrl: z.string().optional() })

/** Earlier invitations have no role. */
const invitationData = z.object({ role: z.enum(roles).default('viewer') })

/**
 * Each decides when the mail is sent whether the email has an account, and creates the link, which
 * then exists in the message only. The renderer is slow to load and takes memory, so the first
 * message loads it.
 *
 * Mail that anyone can request takes the same work with and without an account: other requests of
 * the process wait for it, and their latency would reveal the difference.
 */
export const accountMail: Readonly<Record<AccountMailPurpose, ComposeMail>> = {
  sign_up: async ({ email, data }) => {
    const { AUTH_URL, SIGN_UP } = env()
    const query = callbackQuery(data)
    const userId = await findUserId(database(), email)
    const mayJoin = !userId && SIGN_UP === 'open'
    const link = await newLink('verify_email', { email, userId: null }, mayJoin)
    if (userId) {
      const { alreadyRegistered } = await import('@/core/mail/messages/account-messages')
      return alreadyRegistered(email, AUTH_URL, query && `?${query}`)
    }
    const { verifyEmail } = await import('@/core/mail/messages/account-messages')
    const message = await verifyEmail(email, withQuery(link, query))
    return mayJoin ? message : { ...message, discard: true }
  },

  invitation: async ({ email, data }) => {
    if (env().SIGN_UP === 'closed' || (await findUserId(database(), email))) return undefined
    const { invitation } = await import('@/core/mail/messages/account-messages')
    const { role } = invitationData.parse(data)
    return invitation(email, await newLink('invitation', { email, userId: null, role }))
  },

  reset_password: async ({ email, data }) => {
    const userId = (await findUserId(database(), email)) ?? null
    const link = await newLink('reset_password', { email, userId }, userId !== null)
    const { resetPassword } = await import('@/core/mail/messages/account-messages')
    const message = await resetPassword(email, withQuery(link, callbackQuery(data)))
    return userId ? message : { ...message, discard: true }
  },

  password_changed: async ({ email }) => {
    if (!(await findUserId(database(), email))) return undefined
    const { passwordChanged } = await import('@/core/mail/messages/account-messages')
    return passwordChanged(email, env().AUTH_URL)
  },

  account_linked: async ({ email, data }) => {
    const { accountLinked } = await import('@/core/mail/messages/account-messages')
    return linkedAccountChanged(email, data, accountLinked)
  },

  account_unlinked: async ({ email, data }) => {
    const { accountUnlinked } = await import('@/core/mail/messages/account-messages')
    return linkedAccountChanged(email, data, accountUnlinked)
  },
}

type Render = (email: string, providerName: string, link: string) => Promise<Message>

/** Undefined if the account was deleted in the meantime. */
async function linkedAccountChanged(email: string, data: unknown, render: Render) {
  const { provider, name } = linkedAccountData.parse(data)
  const userId = await findUserId(database(), email)
  if (!userId) return undefined
  const link = await newLink('secure_account', { email, userId })
  return render(email, name, withQuery(link, `${new URLSearchParams({ provider })}`))
}

/** Empty if the link leads home in the end. */
function callbackQuery(data: unknown): string {
  const { callbackUrl } = callbackData.parse(data ?? {})
  return callbackUrl ? `${new URLSearchParams({ callbackUrl })}` : ''
}

function withQuery(link: string, query: string): string {
  return query ? `${link}&${query}` : link
}

async function newLink(purpose: LinkPurpose, link: Link, store = true): Promise<string> {
  return linkUrl(purpose, await createLink(database(), purpose, link, store))
}
