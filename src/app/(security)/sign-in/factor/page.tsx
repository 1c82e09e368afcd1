import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { type Change, changes, changeTexts } from 'plinth/auth/accounts/change-proofs'
import { env } from 'plinth/config/env'
import { findConfirmation } from 'plinth/guard/change-proof'
import { page } from 'plinth/guard/page'
import type { SignedInScope } from 'plinth/guard/policy'
import { callbackUrlOrHome } from 'plinth/http/headers'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'
import { InputField } from '@/ui/forms/field'
import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'
import { Notice, TextLink } from '@/ui/text'
import { findFactors, type Method, methods, methodsOf } from '../../data/factors/factors'
import { relyingParty } from '../../data/factors/passkeys'
import { mayUseSecurity } from '../../policy'
import { proveWithApp, proveWithPasskey, proveWithRecoveryCode } from '../../proof-actions'
import { codeFields, methodLabels } from '../../ui/factor-texts'
import { PasskeyProof } from '../../ui/passkeys/passkey-button'

export const metadata: Metadata = { title: 'Confirm that it is you', robots: { index: false } }

const query = z.object({
  change: z.enum(changes).optional(),
  method: z.enum(methods).optional(),
  callbackUrl: z.string().max(2000).optional(),
})

/** `/confirm` leads here to prove a change with a factor, or with a recovery code. */
export default page(
  {
    path: '/sign-in/factor',
    name: 'view_prove_with_factor',
    authorize: mayUseSecurity,
    query,
    load: ({ scope, query }) => findMethod(scope, query),
  },
  ({ data: { change, shown, others, callbackUrl } }) => (
    <>
      <h1 className="text-2xl">Confirm that it is you</h1>
      <p className="mt-3 mb-8 text-muted">
        To {changeTexts[change]}, use a second factor of your account. This keeps your account safe
        if someone else uses your session.
      </p>
      {shown === 'passkey' ? (
        <PasskeyProof
          prove={proveWithPasskey}
          origin={relyingParty().origin}
          change={change}
          callbackUrl={callbackUrl}
        />
      ) : (
        <CodeForm method={shown} change={change} callbackUrl={callbackUrl} />
      )}
      <p className="mt-6 flex flex-wrap gap-x-6 gap-y-2 text-sm">
        {others.map((method) => (
          <TextLink key={method} href={methodUrl(method, { change, callbackUrl })}>
            {methodLabels[method]}
          </TextLink>
        ))}
      </p>
    </>
  ),
)

type Query = z.output<typeof query>

/** A recovery code comes after the first proof, which `/confirm` takes. */
async function findMethod(scope: SignedInScope, { change, method, ...query }: Query) {
  const callbackUrl = callbackUrlOrHome(query.callbackUrl, env().AUTH_URL)
  if (change === undefined) redirect(callbackUrl)
  const confirm = urlWith('/confirm', { change, callbackUrl })
  const { isProven, hasFirstProof } = await findConfirmation(scope, change)
  const own = methodsOf(await findFactors(scope.session.user.id))
  const shown = own.find((name) => name === method) ?? own[0]
  // Without a factor, and after the last proof, it decides where to go.
  if (isProven || shown === undefined) redirect(confirm)
  if (shown === 'recovery_code' && !hasFirstProof) redirect(`${confirm}&with=recovery_code`)
  return { change, shown, others: own.filter((name) => name !== shown), callbackUrl }
}

interface Requested {
  change: Change
  callbackUrl: string
}

function methodUrl(method: Method, { change, callbackUrl }: Requested): string {
  return urlWith('/sign-in/factor', { change, method, callbackUrl })
}

interface CodeFormProps extends Requested {
  method: 'totp' | 'recovery_code'
}

const proveWith = { totp: proveWithApp, recovery_code: proveWithRecoveryCode }

function CodeForm({ method, change, callbackUrl }: CodeFormProps) {
  return (
    <Form
      action={proveWith[method]}
      fields={{ change, callbackUrl }}
      permalink={methodUrl(method, { change, callbackUrl })}
    >
      {method === 'recovery_code' && (
        <Notice tone="positive">One step is done. Now enter a recovery code.</Notice>
      )}
      <InputField name="code" required autoFocus maxLength={100} {...codeFields[method]} />
      <SubmitButton className="mt-1 w-full">Confirm</SubmitButton>
    </Form>
  )
}
