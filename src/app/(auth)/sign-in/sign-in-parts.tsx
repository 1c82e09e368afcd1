import { databaseNow } from 'plinth/db/clock'
import { problemDetail } from 'plinth/http/problems'
import { retryIn } from 'plinth/rate-limits/rate-limit'
import { Button, ButtonLink } from '@/ui/button'
import { PostForm } from '@/ui/post-form'
import { Badge, Notice } from '@/ui/text'

interface ProviderButtonsProps {
  providers: readonly { id: string; name: string }[]
  callbackUrl: string
  /** The sign-in proves this change and creates no new sign-in. */
  change?: string
}

/** Plain forms, so that they work without JavaScript. */
export function ProviderButtons({ providers, callbackUrl, change }: ProviderButtonsProps) {
  if (providers.length === 0) return null
  return (
    <div className="mt-6 grid gap-3 border-t border-line pt-6">
      {providers.map(({ id, name }) => (
        <PostForm
          key={id}
          action={`/api/auth/signin/${id}`}
          button={{ variant: 'secondary', className: 'w-full' }}
          submitLabel={`Continue with ${name}`}
        >
          <input type="hidden" name="callbackUrl" value={callbackUrl} />
          {change && <input type="hidden" name="change" value={change} />}
        </PostForm>
      ))}
    </div>
  )
}

interface SignedInProps {
  name: string
  email: string
  role: string
  /** Why linking a provider failed. */
  error?: string | undefined
}

export function SignedIn({ name, email, role, error }: SignedInProps) {
  return (
    <>
      {error && (
        <div className="mb-8">
          <Notice>{error}</Notice>
        </div>
      )}
      <h1 className="text-2xl">You are signed in</h1>
      <p className="mt-4 text-muted">
        Signed in as <bdi className="font-medium text-ink">{name}</bdi> ({email}), with the role{' '}
        <Badge>{role}</Badge>
      </p>
      <div className="mt-8 flex flex-wrap gap-3">
        <ButtonLink href="/home">Go to your home page</ButtonLink>
        <form method="post" action="/api/auth/signout">
          <input type="hidden" name="callbackUrl" value="/sign-in" />
          <Button type="submit" variant="secondary">
            Sign out
          </Button>
        </form>
      </div>
    </>
  )
}

type ErrorQuery = {
  error: string | undefined
  code: string | undefined
  /** In milliseconds since 1970. */
  retryAt?: string | undefined
}

export function signInError({ error, code, retryAt }: ErrorQuery): string | undefined {
  const problem = problemCode(error, code)
  const wait = problem === 'rate_limited' ? secondsUntil(retryAt) : undefined
  return wait === undefined ? problemDetail(problem) : `Too many attempts. ${retryIn(wait)}`
}

/** The Auth.js client uses its own error codes. */
function problemCode(error: string | undefined, code: string | undefined): string | undefined {
  if (error === 'MissingCSRF') return 'csrf_mismatch'
  if (error !== 'CredentialsSignin') return error
  return code === 'credentials' ? 'invalid_credentials' : code
}

/** No limit lasts longer than an hour. Anyone can write a link to this page. */
const maxSeconds = 60 * 60

function secondsUntil(time: string | undefined): number | undefined {
  if (!time || !/^\d{1,15}$/.test(time)) return undefined
  const seconds = Math.ceil((Number(time) - databaseNow()) / 1000)
  return seconds <= maxSeconds ? seconds : undefined
}
