import 'server-only'
import type { Module } from 'plinth/modules/module'
import { plainSentence } from './audit/event-sentence'
import { listEvents } from './data/audit'
import { firstSteps } from './data/first-steps'
import { findUnsentMail } from './data/jobs/failed-mail'
import { findUsers } from './data/list-users'
import { findUndecidedRecoveries } from './data/undecided-recoveries'
import { mayAdminister } from './policy'

export const homeCards: NonNullable<Module['homeCards']> = [
  {
    title: 'Frozen accounts wait for you',
    href: '/admin/users',
    authorize: mayAdminister,
    load: async () => {
      const { listed, count } = await findUndecidedRecoveries()
      if (count === 0) return undefined
      const items = listed.map(({ userId, name, email, openedAt }) => ({
        href: `/admin/users/${userId}/recovery`,
        label: name ?? 'Deleted account',
        ...(email ? { detail: email } : {}),
        at: openedAt,
      }))
      const text = `${accounts(count)} until an admin decides who gets it back.`
      return { isWarning: true, text, items }
    },
  },
  {
    title: 'Mail is not being sent',
    href: '/admin/jobs#mail',
    authorize: mayAdminister,
    load: async () => {
      const { mail, failed, retrying } = await findUnsentMail()
      if (failed + retrying === 0) return undefined
      const [last] = mail
      const sentences = [
        failed > 0 && `${messages(failed)} could not be sent.`,
        retrying > 0 && `${messages(retrying)} failed and will be tried again.`,
        last && `The last error: ${last.reason.slice(0, 100).trim()}`,
      ]
      return {
        isWarning: true,
        text: sentences.filter(Boolean).join(' '),
        actions: [{ href: '/admin/jobs#mail', label: 'View mail' }],
      }
    },
  },
  {
    title: 'First steps',
    href: '/admin#first-steps',
    authorize: mayAdminister,
    load: async () => {
      const steps = await firstSteps()
      if (steps.length === 0) return undefined
      const items = steps.map(({ title, text, href = '/admin#first-steps' }) => ({
        href,
        label: title,
        detail: text,
      }))
      return { items }
    },
  },
  {
    title: 'New users',
    href: '/admin/users',
    authorize: mayAdminister,
    load: async () => {
      const { users } = await findUsers({ sort: 'newest', limit: 5 })
      const items = users.map(({ id, name, email, createdAt }) => ({
        href: `/admin/users/${id}`,
        label: name,
        detail: email,
        at: createdAt,
      }))
      return { items, actions: [{ href: '/admin/users', label: 'Manage users' }] }
    },
  },
  {
    title: 'Recent activity',
    href: '/admin/audit',
    authorize: mayAdminister,
    load: async () => {
      const { events } = await listEvents({}, { limit: 5 })
      if (events.length === 0) return undefined
      const items = events.map((event) => ({
        href: event.actor ? `/admin/users/${event.actor.id}` : '/admin/audit',
        label: plainSentence(event),
        at: event.at,
      }))
      return { items, actions: [{ href: '/admin/audit', label: 'View the audit log' }] }
    },
  },
]

const accounts = (count: number) =>
  count === 1 ? 'One account is frozen' : `${count} accounts are frozen, each`

const messages = (count: number) => (count === 1 ? 'One message' : `${count} messages`)

export const search: NonNullable<Module['search']> = {
  title: 'Users',
  authorize: mayAdminister,
  find: async (_scope, text) => {
    const { users } = await findUsers({ query: text, sort: 'name', limit: 5 })
    return users.map(({ id, name, email }) => ({
      href: `/admin/users/${id}`,
      label: name,
      detail: email,
    }))
  },
}
