import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { page } from 'plinth/guard/page'
import { anyone } from 'plinth/guard/policy'
import { currentBrowser } from 'plinth/recovery/browser'
import { viewRecovery } from 'plinth/recovery/view'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'
import { PageLayout } from '@/app/page-layout'
import { InputField } from '@/ui/forms/field'
import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'
import { TextLink } from '@/ui/text'
import { relyingParty } from '../../data/factors/passkeys'
import { codeFields, methodLabels } from '../../ui/factor-texts'
import { InvalidLink, linkPage } from '../../ui/invalid-link'
import { LazyPasskeyRecovery } from '../../ui/passkeys/lazy-passkey-recovery'
import { proveRecoveryWithApp, proveRecoveryWithCode, proveRecoveryWithPasskey } from './actions'

export const metadata: Metadata = { ...linkPage, title: 'Prove that the account is yours' }

const kinds = ['app', 'passkey', 'codes'] as const

type Kind = (typeof kinds)[number]

const query = z.object({
  token: z.string().max(100).optional(),
  method: z.enum(kinds).optional(),
})

/** `/recover` leads here, to prove a recovery with a factor that is older than the changes. */
export default page(
  {
    path: '/recover/factor',
    name: 'view_prove_recovery',
    authorize: anyone,
    query,
  },
  async ({ query }) => {
    const { token = '' } = query
    const found = await findKind(query)
    const next = { href: '/forgot', label: 'Reset your password' }
    return (
      <PageLayout width="form">
        {found ? <Proof token={token} {...found} /> : <InvalidLink next={next} />}
      </PageLayout>
    )
  },
)

/** Undefined if the link no longer works. */
async function findKind({ token, method }: z.output<typeof query>) {
  const view = await viewRecovery(token, await currentBrowser())
  if (!view) return undefined
  const own = kinds.filter((kind) => view.provable.some((provable) => provable.kind === kind))
  const shown = own.find((kind) => kind === method) ?? own[0]
  if (view.state === 'new' || shown === undefined) redirect(urlWith('/recover', { token }))
  return { shown, others: own.filter((kind) => kind !== shown) }
}

const methodOf = { app: 'totp', passkey: 'passkey', codes: 'recovery_code' } as const

interface ProofProps {
  token: string
  shown: Kind
  others: readonly Kind[]
}

function Proof({ token, shown, others }: ProofProps) {
  return (
    <>
      <h1 className="text-2xl">Prove that the account is yours</h1>
      <p className="mt-3 mb-8 text-muted">{introductions[shown]}</p>
      {shown === 'passkey' ? (
        <LazyPasskeyRecovery
          prove={proveRecoveryWithPasskey}
          origin={relyingParty().origin}
          token={token}
        />
      ) : (
        <CodeForm kind={shown} token={token} />
      )}
      <p className="mt-6 flex flex-wrap gap-x-6 gap-y-2 text-sm">
        {others.map((kind) => (
          <TextLink key={kind} href={proofUrl(token, kind)}>
            {methodLabels[methodOf[kind]]}
          </TextLink>
        ))}
        <TextLink href={urlWith('/recover', { token })}>Back</TextLink>
      </p>
    </>
  )
}

const introductions: Record<Kind, string> = {
  app: 'Use the authenticator app that your account had before the changes, also if it was removed since.',
  passkey: 'Use a passkey that your account had before the changes, also if it was removed since.',
  codes:
    'Use a recovery code that you had before the changes. All codes end with the recovery. You create new ones afterwards.',
}

const proofUrl = (token: string, method: Kind) => urlWith('/recover/factor', { token, method })

const proveWith = { app: proveRecoveryWithApp, codes: proveRecoveryWithCode }

function CodeForm({ kind, token }: { kind: 'app' | 'codes'; token: string }) {
  return (
    <Form action={proveWith[kind]} fields={{ token }} permalink={proofUrl(token, kind)}>
      <InputField name="code" required autoFocus maxLength={100} {...codeFields[methodOf[kind]]} />
      <SubmitButton className="mt-1 w-full">Check the code</SubmitButton>
    </Form>
  )
}
