import type { Metadata } from 'next'
import { env } from 'plinth/config/env'
import { page } from 'plinth/guard/page'
import { anyone } from 'plinth/guard/policy'
import { callbackUrlOrHome } from 'plinth/http/headers'
import { problemDetail } from 'plinth/http/problems'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'
import { CheckboxField, InputField } from '@/ui/forms/field'
import { PostForm } from '@/ui/post-form'
import { Notice, TextLink } from '@/ui/text'
import { rememberedDays } from '../../data/factors/browsers'
import { findFactors, type Method, methodsOf } from '../../data/factors/factors'
import { relyingParty } from '../../data/factors/passkeys'
import { currentChallenge } from '../../sign-in-step'
import { codeFields, methodLabels } from '../../ui/factor-texts'
import { PasskeyVerify } from '../../ui/passkeys/passkey-button'
import { ExpiredSignIn } from '../expired-sign-in'

export const metadata: Metadata = { title: 'Confirm your sign-in', robots: { index: false } }

const query = z.object({
  error: z.string().optional(),
  method: z.string().optional(),
  callbackUrl: z.string().max(2000).optional(),
})

export default page(
  { path: '/sign-in/verify', name: 'view_verify_sign_in', authorize: anyone, query },
  async ({ query: { error, method, callbackUrl } }) => {
    const challenge = await currentChallenge()
    if (!challenge) return <ExpiredSignIn callbackUrl={callbackUrl} />
    const methods = methodsOf(await findFactors(challenge.user.id))
    const shown = methods.find((name) => name === method) ?? methods[0]
    const next = callbackUrlOrHome(callbackUrl, env().AUTH_URL)
    const message = problemDetail(error)
    return (
      <>
        <h1 className="text-2xl">Confirm your sign-in</h1>
        <p className="mt-3 break-words text-muted">
          Signing in as <strong className="font-medium text-ink">{challenge.user.email}</strong>.
        </p>
        {message && (
          <div className="mt-6">
            <Notice>{message}</Notice>
          </div>
        )}
        {(shown === 'totp' || shown === 'recovery_code') && (
          <CodeForm method={shown} callbackUrl={next} />
        )}
        {shown === 'passkey' && (
          <div className="mt-8">
            <PasskeyVerify origin={relyingParty().origin} callbackUrl={next}>
              <RememberBrowser />
            </PasskeyVerify>
          </div>
        )}
        <OtherMethods methods={methods.filter((name) => name !== shown)} callbackUrl={next} />
      </>
    )
  },
)

interface CodeFormProps {
  method: 'totp' | 'recovery_code'
  callbackUrl: string
}

/** Posts to the HTTP API, so that it works without JavaScript. */
function CodeForm({ method, callbackUrl }: CodeFormProps) {
  return (
    <PostForm
      action="/api/auth/signin/verify"
      className="mt-8 grid gap-5"
      button={{ className: 'mt-1 w-full' }}
      submitLabel="Sign in"
    >
      <InputField name="code" required autoFocus maxLength={100} {...codeFields[method]} />
      <RememberBrowser />
      <input type="hidden" name="method" value={method} />
      <input type="hidden" name="callbackUrl" value={callbackUrl} />
    </PostForm>
  )
}

function RememberBrowser() {
  return (
    <CheckboxField
      name="rememberBrowser"
      label={`Do not ask again in this browser for ${rememberedDays} days`}
    />
  )
}

interface OtherMethodsProps {
  methods: readonly Method[]
  callbackUrl: string
}

function OtherMethods({ methods, callbackUrl }: OtherMethodsProps) {
  return (
    <p className="mt-6 flex flex-wrap gap-x-6 gap-y-2 text-sm">
      {methods.map((method) => (
        <TextLink key={method} href={urlWith('/sign-in/verify', { method, callbackUrl })}>
          {methodLabels[method]}
        </TextLink>
      ))}
      <TextLink href="/sign-in">Start again</TextLink>
    </p>
  )
}
