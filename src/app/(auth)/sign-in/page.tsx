import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { configuredProviders } from 'plinth/auth/oauth/configured-providers'
import { cookieNames } from 'plinth/auth/sessions/cookie'
import { env } from 'plinth/config/env'
import { page } from 'plinth/guard/page'
import { anyone } from 'plinth/guard/policy'
import { callbackUrlOrHome } from 'plinth/http/headers'
import { shownSignInMethods } from 'plinth/modules/installed-modules'
import { z } from 'zod'
import { modules } from '@/modules'
import { InputField } from '@/ui/forms/field'
import { PasswordField } from '@/ui/forms/password-field'
import { PostForm } from '@/ui/post-form'
import { Notice, TextLink } from '@/ui/text'
import { withCallbackUrl } from '../callback-url'
import { ProviderButtons, SignedIn, signInError } from './sign-in-parts'

export const metadata: Metadata = { title: 'Sign in' }

const query = z.object({
  error: z.string().optional(),
  code: z.string().optional(),
  retryAt: z.string().optional(),
  callbackUrl: z.string().optional(),
})

export default page(
  {
    path: '/sign-in',
    name: 'view_sign_in',
    authorize: anyone,
    query,
    // With an error the page shows the typed email, from a cookie, and the time to wait.
    renderCache: ({ query: { error } }) => error === undefined,
  },
  async ({ scope: { session }, query: { error, code, retryAt, callbackUrl } }) => {
    const settings = env()
    const message = signInError({ error, code, retryAt })
    if (session) return <SignedIn {...session.user} error={message} />
    const typed = error === undefined ? undefined : await typedEmail()
    const next = callbackUrlOrHome(callbackUrl, settings.AUTH_URL)
    const providers = configuredProviders(settings).map(({ id, name }) => ({ id, name }))
    const methods = shownSignInMethods(modules)
    const autoComplete = ['username', ...methods.flatMap(({ autoComplete = [] }) => autoComplete)]
    return (
      <>
        <SignInForm
          error={message}
          email={typed}
          autoComplete={autoComplete.join(' ')}
          callbackUrl={next}
        />
        <SignInMethods methods={methods} callbackUrl={next} />
        <ProviderButtons providers={providers} callbackUrl={next} />
        <AccountLinks signUp={settings.SIGN_UP !== 'closed'} callbackUrl={next} />
      </>
    )
  },
)

async function typedEmail(): Promise<string | undefined> {
  return (await cookies()).get(cookieNames(env().AUTH_URL).typedEmail)?.value
}

function AccountLinks({ signUp, callbackUrl }: { signUp: boolean; callbackUrl: string }) {
  return (
    <p className="mt-6 flex flex-wrap justify-between gap-x-6 gap-y-2 text-sm">
      <TextLink href={withCallbackUrl('/forgot', callbackUrl)}>Forgot your password?</TextLink>
      {signUp && (
        <TextLink href={withCallbackUrl('/sign-up', callbackUrl)}>Create an account</TextLink>
      )}
    </p>
  )
}

interface SignInMethodsProps {
  methods: ReturnType<typeof shownSignInMethods>
  callbackUrl: string
}

function SignInMethods({ methods, callbackUrl }: SignInMethodsProps) {
  if (methods.length === 0) return null
  return (
    <div className="mt-6 grid gap-3 border-t border-line pt-6 empty:hidden noscript:has-[>.invisible:only-child]:hidden">
      {methods.map(({ Option }) => (
        <Option key={Option.name} callbackUrl={callbackUrl} />
      ))}
    </div>
  )
}

interface SignInFormProps {
  error: string | undefined
  /** The email of a failed attempt. */
  email: string | undefined
  autoComplete: string
  callbackUrl: string
}

/** Posts to the HTTP API, so that it works without JavaScript. */
function SignInForm({ error, email, autoComplete, callbackUrl }: SignInFormProps) {
  return (
    <>
      <h1 className="text-2xl">Sign in</h1>
      <PostForm
        action="/api/auth/signin"
        className="mt-8 grid gap-5"
        button={{ className: 'mt-1 w-full' }}
        submitLabel="Sign in"
      >
        {error && <Notice>{error}</Notice>}
        <InputField
          label="Email"
          name="email"
          type="email"
          autoComplete={autoComplete}
          required
          defaultValue={email}
          autoFocus={email === undefined}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          autoFocus={email !== undefined}
        />
        <input type="hidden" name="callbackUrl" value={callbackUrl} />
      </PostForm>
    </>
  )
}
