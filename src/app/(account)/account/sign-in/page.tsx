import type { Metadata } from 'next'
import { passwordLength } from 'plinth/auth/accounts/fields'
import { defer, page } from 'plinth/guard/page'
import { Deferred, Section } from '@/ui/page-parts'
import { findSignInMethods } from '../../data/sign-in-methods'
import { listSignIns } from '../../data/sign-ins'
import { changePassword, sendPasswordLink } from '../../password-actions'
import { mayUseAccount } from '../../policy'
import { PasswordForm } from '../../ui/password-form'
import { SetPasswordForm } from '../../ui/set-password-form'
import { SignInList } from '../../ui/sign-in-list'
import { AccountLayout } from '../account-layout'

export const metadata: Metadata = { title: 'Sign-in · Account' }

export default page(
  {
    name: 'view_account_sign_in',
    path: '/account/sign-in',
    renderCache: true,
    authorize: mayUseAccount,
    load: async ({ scope }) => {
      const [{ password }, { signIns }] = await Promise.all([
        findSignInMethods(scope),
        defer({ signIns: listSignIns(scope) }),
      ])
      return { password, signIns }
    },
  },
  ({ scope, data: { password, signIns } }) => {
    const { email, name } = scope.session.user
    return (
      <AccountLayout current="/account/sign-in">
        <Section
          title="Password"
          lead={
            password
              ? 'Changing it signs you out on your other devices.'
              : 'You have no password. You sign in with a linked account.'
          }
        >
          {password ? (
            <PasswordForm
              change={changePassword}
              user={{ email, name }}
              length={passwordLength()}
            />
          ) : (
            <SetPasswordForm send={sendPasswordLink} email={email} />
          )}
        </Section>
        <Section
          title="Recent sign-ins"
          lead="If you do not recognize one that succeeded, change your password."
        >
          <Deferred value={signIns} label="Loading your recent sign-ins">
            {(list) => <SignInList signIns={list} />}
          </Deferred>
        </Section>
      </AccountLayout>
    )
  },
)
