import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { safeCallback } from '@/core/auth/callback-url'
import { cookieNames } from '@/core/auth/cookie-names'
import { currentScope } from '@/core/auth/current-scope'
import { env } from '@/core/env'
import { type ProblemCode, problems } from '@/core/http/problems'
import { TextLink } from '@/core/ui/text-link'
import { SignInForm } from './sign-in-form'
import { SignedIn } from './signed-in'

export const metadata: Metadata = { title: 'Sign in' }

type Query = Promise<Record<string, string | string[] | undefined>>

export default async function SignInPage({ searchParams }: { searchParams: Query }) {
  const { session } = await currentScope()
  const { error, callbackUrl } = await searchParams
  const { AUTH_URL, SIGN_UP } = env()
  const typed = (await cookies()).get(cookieNames(AUTH_URL).typedEmail)?.value
  if (session) return <SignedIn {...session.user} />
  return (
    <>
      <SignInForm
        error={textOf(error)}
        email={error === undefined ? undefined : typed}
        callbackUrl={safeCallback(one(callbackUrl), AUTH_URL)}
      />
      <OtherWays signUp={SIGN_UP !== 'closed'} />
    </>
  )
}

function OtherWays({ signUp }: { signUp: boolean }) {
  return (
    <p className="mt-6 flex flex-wrap justify-between gap-x-6 gap-y-2 text-sm">
      <TextLink href="/forgot">Forgot your password?</TextLink>
      {signUp && <TextLink href="/sign-up">Create an account</TextLink>}
    </p>
  )
}

function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Texts come from the list of problems; an unknown code says nothing. */
function textOf(code: string | string[] | undefined): string | undefined {
  const known = one(code)
  if (known === undefined || !Object.hasOwn(problems, known)) return undefined
  return problems[known as ProblemCode][2]
}
