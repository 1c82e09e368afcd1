import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { Button } from '@/core/ui/button'
import { InputField } from '@/core/ui/field'
import { Shell } from '@/core/ui/shell'
import { isOurs, localProvider, question } from '../../../../answers'

export const metadata: Metadata = { title: 'Choose a person' }

interface PageProps {
  params: Promise<{ provider: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** Where one signs in at a real provider; here one says whom to be. */
export default async function AuthorizePage({ params, searchParams }: PageProps) {
  const provider = localProvider((await params).provider)
  const asked = question.safeParse(await searchParams)
  if (!provider || !asked.success || !isOurs(provider, asked.data)) notFound()
  return (
    <Shell>
      <div className="mx-auto w-full max-w-sm px-5 py-14">
        <h1 className="text-2xl">{provider.name}, for development</h1>
        <p className="mt-2 text-muted">Say who you are there. Nothing leaves this machine.</p>
        <form method="post" action={`/dev/oauth/${provider.id}/decide`} className="mt-8 grid gap-5">
          {Object.entries(asked.data).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <InputField label="Name" name="name" defaultValue="Ada" />
          <InputField label="E-mail" name="email" defaultValue="ada@example.org" required />
          <label className="flex items-center gap-2 text-sm">
            <input type="checkbox" name="verified" defaultChecked />
            The address is verified
          </label>
          <Button type="submit" name="decision" value="allow">
            Continue
          </Button>
          <Button type="submit" name="decision" value="deny" variant="secondary" formNoValidate>
            Refuse
          </Button>
        </form>
      </div>
    </Shell>
  )
}
