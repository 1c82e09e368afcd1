import { Button } from '@/core/ui/button'

interface ProviderButtonsProps {
  providers: readonly { id: string; name: string }[]
  callbackUrl: string
}

/** Plain forms, so that they work without JavaScript. */
export function ProviderButtons({ providers, callbackUrl }: ProviderButtonsProps) {
  if (providers.length === 0) return null
  return (
    <div className="mt-6 grid gap-3 border-t border-line pt-6">
      {providers.map(({ id, name }) => (
        <form key={id} method="post" action={`/api/auth/signin/${id}`}>
          <input type="hidden" name="callbackUrl" value={callbackUrl} />
          <Button type="submit" variant="secondary" className="w-full">
            Continue with {name}
          </Button>
        </form>
      ))}
    </div>
  )
}
