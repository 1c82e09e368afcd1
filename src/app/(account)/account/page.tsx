import type { Metadata } from 'next'
import { z } from 'zod'
import { passwordLength } from '@/core/auth/passwords/length'
import { encodeSessionCursor, sessionCursorField } from '@/core/auth/sessions/list'
import type { Cursor } from '@/core/db/list/cursor'
import { defer } from '@/core/guard/deferred'
import { page } from '@/core/guard/page'
import type { SignedInScope } from '@/core/guard/policy'
import { problemDetail } from '@/core/http/problems/problem-codes'
import { PageLayout } from '@/core/layout/page-layout'
import { ButtonLink } from '@/core/ui/button'
import { Deferred } from '@/core/ui/deferred'
import { deviceOf } from '@/core/ui/device'
import { doneField } from '@/core/ui/done-field'
import { FlashNotice } from '@/core/ui/flash-notice'
import { Section } from '@/core/ui/section'
import { urlWith } from '@/core/ui/url'
import {
  deleteAccount,
  revokeOtherSessions,
  revokeSession,
  unlinkAccount,
  updateProfile,
} from '../actions'
import { listSessions } from '../data/sessions'
import { findSignInMethods } from '../data/sign-in-methods'
import { changePassword, sendPasswordLink } from '../password-actions'
import { mayUseAccount } from '../policy'
import { DeleteForm } from '../ui/delete-form'
import { accountMessages } from '../ui/messages'
import { PasswordForm } from '../ui/password-form'
import { ProfileForm } from '../ui/profile-form'
import { ProviderList } from '../ui/provider-list'
import { SessionList } from '../ui/session-list'
import { SetPasswordForm } from '../ui/set-password-form'

export const metadata: Metadata = { title: 'Account' }

const query = z.object({
  done: doneField(accountMessages('')),
  error: z.string().optional(),
  sessions: sessionCursorField.optional(),
})

export default page(
  {
    name: 'view_account',
    path: '/account',
    authorize: mayUseAccount,
    query,
    load: async ({ scope, query }) => {
      const [signInMethods, { sessions }] = await Promise.all([
        findSignInMethods(scope),
        defer({ sessions: findSessions(scope, query.sessions) }),
      ])
      return { signInMethods, sessions }
    },
  },
  ({ scope, query: { done, error }, data: { signInMethods, sessions } }) => {
    const { name, email, role } = scope.session.user
    const { password, providers } = signInMethods
    return (
      <PageLayout current="/account" title="Your account">
        <FlashNotice done={done} messages={accountMessages(email)} error={problemDetail(error)} />
        <Section title="Profile" lead="Your name as other users see it.">
          <ProfileForm save={updateProfile} name={name} email={email} role={role} />
        </Section>
        <Section
          title="Password"
          lead={
            password
              ? 'Changing it signs you out on your other devices.'
              : 'You have no password. You sign in with a linked account.'
          }
        >
          {password ? (
            <PasswordForm change={changePassword} email={email} minLength={passwordLength.min} />
          ) : (
            <SetPasswordForm send={sendPasswordLink} email={email} />
          )}
        </Section>
        {providers.length > 0 && (
          <Section title="Sign-in methods" lead="Accounts that you can use to sign in.">
            <ProviderList providers={providers} unlink={unlinkAccount} />
          </Section>
        )}
        <Section
          id="sessions"
          title="Sessions"
          lead="Devices where you are signed in. Revoke any that you do not recognize."
        >
          <Deferred value={sessions} label="Loading your sessions">
            {(shown) => (
              <SessionList {...shown} revoke={revokeSession} revokeOthers={revokeOtherSessions} />
            )}
          </Deferred>
        </Section>
        <Section title="Your data" lead="Download everything stored about you as a JSON file.">
          <ButtonLink href="/api/account/data.json" variant="secondary">
            Download data
          </ButtonLink>
        </Section>
        <Section title="Delete account" lead="This is permanent.">
          <DeleteForm remove={deleteAccount} email={email} hasPassword={password} />
        </Section>
      </PageLayout>
    )
  },
)

async function findSessions(scope: SignedInScope, cursor: Cursor | undefined) {
  const { sessions, next, previous } = await listSessions(scope, cursor)
  const shown = sessions.map(({ userAgent, ip, ...session }) => ({
    ...session,
    ip: ip ?? 'unknown',
    device: deviceOf(userAgent),
  }))
  return {
    sessions: shown,
    cursor: cursor && encodeSessionCursor(cursor),
    nextHref: next && sessionsUrl(next),
    previousHref: previous && sessionsUrl(previous),
  }
}

const sessionsUrl = (cursor: Cursor) =>
  `${urlWith('/account', { sessions: encodeSessionCursor(cursor) })}#sessions`
