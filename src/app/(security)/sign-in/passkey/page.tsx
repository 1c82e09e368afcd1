import type { Metadata } from 'next'
import { env } from 'plinth/config/env'
import { page } from 'plinth/guard/page'
import { callbackUrlOrHome } from 'plinth/http/headers'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'
import { TextLink } from '@/ui/text'
import { relyingParty } from '../../data/factors/passkeys'
import { confirmWithPasskey } from '../../passkey-actions'
import { mayUseSecurity } from '../../policy'
import { PasskeyConfirm } from '../../ui/passkeys/passkey-button'

export const metadata: Metadata = { title: 'Confirm that it is you', robots: { index: false } }

/** `/confirm` links to it. */
export default page(
  {
    path: '/sign-in/passkey',
    name: 'view_confirm_with_passkey',
    authorize: mayUseSecurity,
    query: z.object({ callbackUrl: z.string().max(2000).optional() }),
  },
  ({ query: { callbackUrl } }) => {
    const next = callbackUrlOrHome(callbackUrl, env().AUTH_URL)
    return (
      <>
        <h1 className="text-2xl">Confirm that it is you</h1>
        <p className="mt-3 mb-8 text-muted">Use a passkey of your account.</p>
        <PasskeyConfirm
          confirm={confirmWithPasskey}
          origin={relyingParty().origin}
          callbackUrl={next}
        />
        <p className="mt-6 text-sm">
          <TextLink href={urlWith('/confirm', { callbackUrl: next })}>
            Confirm in another way
          </TextLink>
        </p>
      </>
    )
  },
)
