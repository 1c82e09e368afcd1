import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { z } from 'zod'
import { safeCallback } from '@/core/auth/callback-url'
import { cookieNames } from '@/core/auth/cookie-names'
import { env } from '@/core/env'
import { page } from '@/core/guard/page'
import { anyone } from '@/core/guard/policy'
import { TextLink } from '@/core/ui/text-link'
import { ProviderButtons } from './provider-buttons'
import { SignInForm } from './sign-in-form'
import { SignedIn } from './signed-in'
import { whatHappened } from './what-happened'

export const metadata: Metadata = { title: 'Sign in' }

const query = z.object({
  error: z.string().optional(),
  code: z.string().optional(),
  callbackUrl: z.string().optional(),
})

export default page(
  { path: '/sign-in', name: 'see_sign_in', who: anyone, query },
  async ({ scope: { session }, query: { error, code, callbackUrl } }) => {
    const settings = env()
    const told = whatHappened({ error, code })
    if (session) return <SignedIn {...session.user} error={told} />
    const typed = (await cookies()).get(cookieNames(settings.AUTH_URL).typedEmail)?.value
    const next = safeCallback(callbackUrl, settings.AUTH_URL)
    const providers = settings.providers.map(({ id, name }) => ({ id, name }))
    return (
      <>
        <SignInForm
          error={told}
          email={error === undefined ? undefined : typed}
          callbackUrl={next}
        />
        <ProviderButtons providers={providers} callbackUrl={next} />
        <OtherWays signUp={settings.SIGN_UP !== 'closed'} />
      </>
    )
  },
)

function OtherWays({ signUp }: { signUp: boolean }) {
  return (
    <p className="mt-6 flex flex-wrap justify-between gap-x-6 gap-y-2 text-sm">
      <TextLink href="/forgot">Forgot your password?</TextLink>
      {signUp && <TextLink href="/sign-up">Create an account</TextLink>}
    </p>
  )
}
