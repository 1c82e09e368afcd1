import type { Metadata } from 'next'
import { z } from 'zod'
import { passwordLength } from '@/core/auth/password-length'
import { page } from '@/core/guard/page'
import type { SignedInScope } from '@/core/guard/policy'
import { soon } from '@/core/guard/soon'
import { textOfProblem } from '@/core/http/problems'
import { ButtonLink } from '@/core/ui/button'
import { deviceOf } from '@/core/ui/device'
import { Panel } from '@/core/ui/panel'
import {
  changePassword,
  deleteAccount,
  endOtherSessions,
  endSession,
  sendPasswordLink,
  unlinkAccount,
  updateProfile,
} from '../actions'
import { listSessions } from '../data/sessions'
import { findWaysIn } from '../data/ways-in'
import { mayUseAccount } from '../policy'
import { DeleteForm } from '../ui/delete-form'
import { Frame } from '../ui/frame'
import { OutcomeNotice, outcomes } from '../ui/outcome'
import { PasswordForm } from '../ui/password-form'
import { ProfileForm } from '../ui/profile-form'
import { Section } from '../ui/section'
import { SessionList } from '../ui/session-list'
import { SetPassword } from '../ui/set-password'
import { WaysIn } from '../ui/ways-in'

export const metadata: Metadata = { title: 'Account' }

const query = z.object({ done: z.enum(outcomes).optional(), error: z.string().optional() })

export default page(
  {
    name: 'account',
    path: '/account',
    who: mayUseAccount,
    query,
    load: async ({ scope }) => {
      const [waysIn, { sessions }] = await Promise.all([
        findWaysIn(scope),
        soon({ sessions: findSessions(scope) }),
      ])
      return { waysIn, sessions }
    },
  },
  ({ scope, query: { done, error }, data: { waysIn, sessions } }) => {
    const { name, email, role } = scope.session.user
    const { password, providers } = waysIn
    return (
      <Frame>
        <h1 className="text-2xl">Your account</h1>
        <OutcomeNotice done={done} error={textOfProblem(error)} email={email} />
        <Section title="Profile" lead="How others see you.">
          <ProfileForm save={updateProfile} name={name} email={email} role={role} />
        </Section>
        <Section
          title="Password"
          lead={
            password
              ? 'A new one signs you out on every other device.'
              : 'You have none: you sign in with another service.'
          }
        >
          {password ? (
            <PasswordForm change={changePassword} email={email} least={passwordLength.least} />
          ) : (
            <SetPassword send={sendPasswordLink} email={email} />
          )}
        </Section>
        {providers.length > 0 && (
          <Section title="Ways to sign in" lead="Other services that can say who you are.">
            <WaysIn providers={providers} unlink={unlinkAccount} />
          </Section>
        )}
        <Section title="Sessions" lead="Where you are signed in. End those you do not know.">
          <Panel value={sessions} label="Your sessions are being fetched">
            {(shown) => <SessionList {...shown} end={endSession} endOthers={endOtherSessions} />}
          </Panel>
        </Section>
        <Section title="Your data" lead="What is stored about you, as one file of JSON.">
          <ButtonLink href="/api/account/data.json" variant="secondary" download>
            Download your data
          </ButtonLink>
        </Section>
        <Section title="Delete your account" lead="At once and for good.">
          <DeleteForm remove={deleteAccount} email={email} hasPassword={password} />
        </Section>
      </Frame>
    )
  },
)

/** More than this are ended together. */
const shownAtMost = 50

async function findSessions(scope: SignedInScope) {
  const sessions = await listSessions(scope, shownAtMost + 1)
  const shown = sessions.slice(0, shownAtMost).map(({ userAgent, address, ...session }) => ({
    ...session,
    address: address ?? 'unknown',
    device: deviceOf(userAgent),
  }))
  return { sessions: shown, more: sessions.length > shownAtMost }
}
