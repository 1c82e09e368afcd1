import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { page } from 'plinth/guard/page'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'
import { Section } from '@/ui/page-parts'
import { updateProfile } from '../actions'
import { mayUseAccount } from '../policy'
import { updatePreferences } from '../preference-actions'
import { OldFragment } from '../ui/old-fragment'
import { PreferencesForm } from '../ui/preferences-form'
import { ProfileForm } from '../ui/profile-form'
import { AccountLayout } from './account-layout'

export const metadata: Metadata = { title: 'Profile · Account' }

/** The query of links from the time when all sections were on this page. */
const query = z.object({
  sessions: z.string().optional(),
  revoke: z.string().optional(),
  unlink: z.string().optional(),
  error: z.string().optional(),
})

export default page(
  {
    name: 'view_account',
    path: '/account',
    renderCache: true,
    authorize: mayUseAccount,
    query,
    load: async ({ query }) => redirectToSection(query),
  },
  ({ scope }) => {
    const { name, email, role, timeZone, theme } = scope.session.user
    return (
      <AccountLayout current="/account">
        <OldFragment />
        <Section title="Your details" lead="Your name as other users see it.">
          <ProfileForm save={updateProfile} name={name} email={email} role={role} />
        </Section>
        <Section title="Preferences" lead="They apply on every device where you sign in.">
          <PreferencesForm save={updatePreferences} timeZone={timeZone ?? ''} theme={theme ?? ''} />
        </Section>
      </AccountLayout>
    )
  },
)

function redirectToSection({ sessions, revoke, unlink, error }: z.output<typeof query>): void {
  if (sessions || revoke) redirect(urlWith('/account/sessions', { sessions, revoke }))
  if (unlink || error) redirect(urlWith('/account/connected', { unlink, error }))
}
