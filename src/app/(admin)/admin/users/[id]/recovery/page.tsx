import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { isRecentSignIn } from 'plinth/auth/sessions/read'
import { env } from 'plinth/config/env'
import { database } from 'plinth/db/client'
import { page } from 'plinth/guard/page'
import { openLinkUrl } from 'plinth/recovery/recovery-mail'
import { reviewRecovery } from 'plinth/recovery/review'
import { z } from 'zod'
import { EmptyState, Section } from '@/ui/page-parts'
import { findUser } from '../../../../data/find-user'
import { userId } from '../../../../fields'
import { mayAdminister } from '../../../../policy'
import {
  allowUserRecovery,
  openUserRecovery,
  rejectUserRecovery,
} from '../../../../recovery-actions'
import { AdminLayout } from '../../../../ui/admin-layout'
import { ChangeTable, DecisionButton, EmailTable } from '../../../../ui/users/recovery-tables'
import { emailRows } from './email-rows'
import { HandOver, RecoveryState } from './recovery-state'

export const metadata: Metadata = { title: 'Account recovery' }

/** The dialog that is open without JavaScript. */
const opened = z.string().optional()

export default page(
  {
    name: 'view_user_recovery',
    path: '/admin/users/[id]/recovery',
    authorize: mayAdminister,
    params: z.object({ id: userId }),
    query: z.object({ allow: opened, reject: opened, freeze: opened }),
    load: async ({ params: { id } }) => {
      const [user, review] = await Promise.all([findUser(id), reviewRecovery(database(), id)])
      return { user: user ?? (review.timeline.length === 0 ? notFound() : undefined), ...review }
    },
  },
  ({ scope, params: { id }, query, data: { user, timeline, recovery, emails } }) => {
    const name = user?.name ?? emails[0] ?? 'a deleted account'
    const href = `/admin/users/${id}/recovery`
    const allowed = recovery?.state === 'allowed' ? recovery.openedBy[0] : undefined
    return (
      <AdminLayout
        current="/admin/users"
        title={`Recovery of ${name}`}
        breadcrumbs={[
          { href: '/admin', label: 'Admin' },
          { href: '/admin/users', label: 'Users' },
          ...(user ? [{ href: `/admin/users/${id}`, label: name }] : []),
        ]}
      >
        <RecoveryState recovery={recovery} isRecoverable={emails.length > 0} />
        {recovery && allowed && !env().SMTP_URL && (
          <HandOver
            email={allowed}
            link={isRecentSignIn(scope.session) ? openLinkUrl(id, recovery, allowed) : undefined}
            href={href}
          />
        )}
        <Section title="Changes of sign-in methods">
          {timeline.length > 0 ? <ChangeTable changes={timeline} /> : <NoChanges />}
        </Section>
        {recovery && (
          <Section title="Decide">
            <p className="mb-4 max-w-prose text-sm text-muted">
              Ask the user in a way that a thief cannot answer, such as by phone or in person. Mail
              may be read by someone else.
            </p>
            <EmailTable
              emails={emailRows({ recovery, emails, current: user?.email })}
              userId={id}
              allow={allowUserRecovery}
              selected={query.allow}
              href={href}
            />
            <div className="mt-6">
              <DecisionButton
                name="reject"
                action={rejectUserRecovery}
                userId={id}
                label="Reject the recovery"
                title="Reject the recovery?"
                confirm="Reject and unfreeze"
                selected={query.reject}
                href={href}
              >
                <p>
                  The account stays as it is, with all changes, and can be used again. The links
                  that opened the recovery end. Others work for seven more days.
                </p>
              </DecisionButton>
            </div>
          </Section>
        )}
        {!recovery && emails.length > 0 && (
          <Section title="Freeze the account">
            {id === scope.session.user.id ? (
              <p className="text-sm text-muted">
                This is your own account. If a change was not yours, use the link in the email about
                it.
              </p>
            ) : (
              <DecisionButton
                name="freeze"
                action={openUserRecovery}
                userId={id}
                label="Freeze and recover"
                title={`Freeze the account of ${name}?`}
                confirm="Freeze the account"
                selected={query.freeze}
                href={href}
              >
                <p>
                  All devices are signed out, and no one can sign in or change anything until you
                  decide who gets the account. All its emails are told.
                </p>
              </DecisionButton>
            )}
          </Section>
        )}
      </AdminLayout>
    )
  },
)

function NoChanges() {
  return (
    <EmptyState title="No change in the last 30 days can be taken back.">
      <p>
        There is nothing to recover. For a user who cannot sign in you can remove their second
        factors, and they can reset the password themselves. For a user who fears a thief, revoke
        all sessions.
      </p>
    </EmptyState>
  )
}
