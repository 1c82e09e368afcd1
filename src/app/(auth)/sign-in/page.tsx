import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { safeCallback } from '@/core/auth/callback-url'
import { cookieNames } from '@/core/auth/cookie-names'
import { currentScope } from '@/core/auth/current-scope'
import { providersOf } from '@/core/auth/providers'
import { env } from '@/core/env'
import { Shell } from '@/core/ui/shell'
import { ProviderButtons } from './provider-buttons'
import { SignInForm } from './sign-in-form'
import { SignedIn } from './signed-in'
import { whatHappened } from './what-happened'

export const metadata: Metadata = { title: 'Sign in' }

type Query = Promise<Record<string, string | string[] | undefined>>

export default async function SignInPage({ searchParams }: { searchParams: Query }) {
  const { session } = await currentScope()
  const { error, code, callbackUrl } = await searchParams
  const { AUTH_URL } = env()
  const typed = (await cookies()).get(cookieNames(AUTH_URL).typedEmail)?.value
  const told = whatHappened({ error: one(error), code: one(code) })
  const next = safeCallback(one(callbackUrl), AUTH_URL)
  return (
    <Shell>
      <div className="mx-auto w-full max-w-sm px-5 py-14 sm:py-24">
        {session ? (
          <SignedIn {...session.user} error={told} />
        ) : (
          <>
            <SignInForm
              error={told}
              email={error === undefined ? undefined : typed}
              callbackUrl={next}
            />
            <ProviderButtons providers={offered()} callbackUrl={next} />
          </>
        )}
      </div>
    </Shell>
  )
}

function offered() {
  return providersOf(env()).map(({ id, name }) => ({ id, name }))
}

function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
