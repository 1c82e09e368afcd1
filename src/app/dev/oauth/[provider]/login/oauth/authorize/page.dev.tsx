import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import {
  authorizationRequest,
  isRegisteredClient,
  localProvider,
} from 'plinth/auth/oauth/development-server'
import { Button } from '@/ui/button'
import { InputField } from '@/ui/forms/field'
import { Shell } from '@/ui/shell'

export const metadata: Metadata = { title: 'Choose a profile' }

interface PageProps {
  params: Promise<{ provider: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** Instead of signing in at a real provider, the developer enters any profile. */
export default async function AuthorizePage({ params, searchParams }: PageProps) {
  const provider = localProvider((await params).provider)
  const request = authorizationRequest.safeParse(await searchParams)
  if (!provider || !request.success || !isRegisteredClient(provider, request.data)) notFound()
  return (
    <Shell>
      <div className="mx-auto w-full max-w-sm px-5 py-14">
        <h1 className="text-2xl">{provider.name} (development)</h1>
        <p className="mt-2 text-muted">
          Enter the profile to sign in with. No data leaves this machine.
        </p>
        <form method="post" action={`/dev/oauth/${provider.id}/decide`} className="mt-8 grid gap-5">
          {Object.entries(request.data).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <InputField label="Name" name="name" defaultValue="Ada" />
          <InputField label="Email" name="email" defaultValue="ada@example.org" required />
          <label className="flex items-center gap-2 text-sm">
            <input type="checkbox" name="verified" defaultChecked />
            Email is verified
          </label>
          <Button type="submit" name="decision" value="allow">
            Continue
          </Button>
          <Button type="submit" name="decision" value="deny" variant="secondary" formNoValidate>
            Cancel
          </Button>
        </form>
      </div>
    </Shell>
  )
}
