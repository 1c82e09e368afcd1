import type { Metadata } from 'next'
import { z } from 'zod'
import { passwordLength } from '@/core/auth/passwords/length'
import { sessionCursorField } from '@/core/auth/sessions/list'
import { defer } from '@/core/guard/deferred'
import { page } from '@/core/guard/page'
import { problemDetail } from '@/core/http/problems/problem-codes'
import { PageLayout } from '@/core/layout/page-layout'
import { ButtonLink } from '@/core/ui/button'
import { Deferred } from '@/core/ui/deferred'
import { doneField } from '@/core/ui/done-field'
import { FlashNotice } from '@/core/ui/flash-notice'
import { Section } from '@/core/ui/section'
import { deleteAccount, unlinkAccount, updateProfile } from '../actions'
import { listSessions } from '../data/sessions'
import { findSignInMethods } from '../data/sign-in-methods'
import { changePassword, sendPasswordLink } from '../password-actions'
import { mayUseAccount } from '../policy'
import { DeleteForm } from '../ui/delete-form'
import { accountMessages } from '../ui/messages'
import { PasswordForm } from '../ui/password-form'
import { ProfileForm } from '../ui/profile-form'
import { ProviderList } from '../ui/provider-list'
import { SetPasswordForm } from '../ui/set-password-form'
import { Sessions } from './sessions'

export const metadata: Metadata = { title: 'Account' }

const query = z.object({
  done: doneField(accountMessages('')),
  error: z.string().optional(),
  sessions: sessionCursorField.optional(),
  revoke: z.string().optional(),
  unlink: z.string().optional(),
})

export default page(
  {
    name: 'view_account',
    path: '/account',
    renderCache: true,
    authorize: mayUseAccount,
    query,
    load: async ({ scope, query }) => {
      const [signInMethods, { sessions }] = await Promise.all([
        findSignInMethods(scope),
        defer({ sessions: listSessions(scope, query.sessions) }),
      ])
      return { signInMethods, sessions }
    },
  },
  ({ scope, query, data: { signInMethods, sessions } }) => {
    const { name, email, role } = scope.session.user
    const { password, providers } = signInMethods
    return (
      <PageLayout current="/account" title="Your account">
        <FlashNotice
          done={query.done}
          messages={accountMessages(email)}
          error={problemDetail(query.error)}
        />
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
            <ProviderList
              providers={providers}
              unlink={unlinkAccount}
              selected={query.unlink}
              href="/account"
            />
          </Section>
        )}
        <Section
          id="sessions"
          title="Sessions"
          lead="Devices where you are signed in. Revoke any that you do not recognize."
        >
          <Deferred value={sessions} label="Loading your sessions">
            {(page) => <Sessions page={page} cursor={query.sessions} selected={query.revoke} />}
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
