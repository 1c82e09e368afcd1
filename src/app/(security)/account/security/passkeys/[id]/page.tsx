import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { page } from 'plinth/guard/page'
import { z } from 'zod'
import { ConfirmButton } from '@/ui/forms/confirm-button'
import { InputField } from '@/ui/forms/field'
import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'
import { Section } from '@/ui/page-parts'
import { findPasskey } from '../../../../data/factors/passkeys'
import { passkeyIdField } from '../../../../fields'
import { removePasskey, renamePasskey } from '../../../../passkey-actions'
import { mayUseSecurity } from '../../../../policy'
import { SecurityLayout } from '../../../security-layout'

export const metadata: Metadata = { title: 'Passkey' }

export default page(
  {
    name: 'view_passkey',
    path: '/account/security/passkeys/[id]',
    authorize: mayUseSecurity,
    params: z.object({ id: passkeyIdField }),
    load: ({ scope, params: { id } }) => findPasskey(scope.session.user.id, id),
  },
  ({ data: passkey }) => {
    if (!passkey) notFound()
    const fields = { passkeyId: passkey.id }
    const here = `/account/security/passkeys/${passkey.id}`
    return (
      <SecurityLayout title={passkey.name} isSubpage>
        <Section title="Name" lead="So that you recognize it in the list.">
          <Form action={renamePasskey} fields={fields} permalink={here}>
            <InputField
              label="Name of the passkey"
              name="name"
              defaultValue={passkey.name}
              required
              maxLength={100}
              autoComplete="off"
            />
            <SubmitButton>Rename passkey</SubmitButton>
          </Form>
        </Section>
        <Section title="Remove" lead="It can no longer sign in to your account.">
          <ConfirmButton
            id="remove-passkey"
            action={removePasskey}
            fields={fields}
            label="Remove passkey"
            title="Remove this passkey?"
            confirm="Remove passkey"
            page={here}
            variant="danger"
          >
            <p>
              It no longer signs you in. Delete it on your device too: your device still offers it.
            </p>
          </ConfirmButton>
        </Section>
      </SecurityLayout>
    )
  },
)
