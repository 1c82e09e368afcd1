import type { Metadata } from 'next'
import { page } from 'plinth/guard/page'
import { deviceOf } from 'plinth/universal/device'
import { z } from 'zod'
import { ButtonLink } from '@/ui/button'
import { CheckboxField } from '@/ui/forms/field'
import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'
import { Section } from '@/ui/page-parts'
import {
  endOtherSessions,
  forgetBrowser,
  removeAuthenticatorApp,
  updateNotices,
} from '../../actions'
import { isProtected } from '../../data/factors/factors'
import { countOtherSessions, findSecurity } from '../../data/overview'
import { mayUseSecurity } from '../../policy'
import { addFactorUrl } from '../../ui/add-factor-url'
import { AppSection } from '../../ui/app-section'
import { BrowserList } from '../../ui/browser-list'
import { CodesSection } from '../../ui/codes-section'
import { OtherSessions } from '../../ui/other-sessions'
import { PasskeyList } from '../../ui/passkeys/passkey-list'
import { SecurityLayout } from '../security-layout'

export const metadata: Metadata = { title: 'Security · Account' }

/** After a change of factors, other sessions are offered to be revoked. */
const query = z.object({ changed: z.literal('factors').optional() })

export default page(
  {
    name: 'view_security',
    path: '/account/security',
    authorize: mayUseSecurity,
    renderCache: true,
    query,
    load: async ({ scope, query: { changed } }) => {
      const [security, others] = await Promise.all([
        findSecurity(scope),
        changed ? countOtherSessions(scope) : 0,
      ])
      return { ...security, others }
    },
  },
  ({ data: { factors, app, passkeys, browsers, newDevice, others } }) => (
    <SecurityLayout title="Security">
      {others > 0 && <OtherSessions count={others} revoke={endOtherSessions} />}
      <Section
        title="Authenticator app"
        lead="A second factor: a code from an app on your phone, besides your password."
      >
        <AppSection app={app} remove={removeAuthenticatorApp} />
      </Section>
      <Section
        title="Passkeys"
        lead="They sign you in without a password, with your fingerprint, face or screen lock."
      >
        <PasskeyList passkeys={passkeys} />
        <ButtonLink href={addFactorUrl('/account/security/passkeys/new')} className="mt-5">
          Add a passkey
        </ButtonLink>
      </Section>
      {isProtected(factors) && (
        <>
          <Section
            title="Recovery codes"
            lead="They sign you in if you lose your phone or your passkeys."
          >
            <CodesSection left={factors.recoveryCodes} />
          </Section>
          <Section
            title="Remembered browsers"
            lead="They need no second factor until they expire. A new password, or revoking your other sessions, ends them all."
          >
            <BrowserList
              browsers={browsers.map(({ userAgent, ip, ...browser }) => ({
                ...browser,
                device: deviceOf(userAgent ?? undefined),
                ip: ip ?? 'unknown',
              }))}
              forget={forgetBrowser}
            />
          </Section>
        </>
      )}
      <Section
        title="Notices"
        lead="Changes to your password, email and second factors are always sent to you."
      >
        <Form action={updateNotices} permalink="/account/security">
          <CheckboxField
            label="Email me about sign-ins on new devices"
            name="newDevice"
            defaultChecked={newDevice}
          />
          <SubmitButton>Save notices</SubmitButton>
        </Form>
      </Section>
    </SecurityLayout>
  ),
)
