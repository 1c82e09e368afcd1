import { PostForm } from '@/core/ui/post-form'

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
        <PostForm
          key={id}
          action={`/api/auth/signin/${id}`}
          button={{ variant: 'secondary', className: 'w-full' }}
          submitLabel={`Continue with ${name}`}
        >
          <input type="hidden" name="callbackUrl" value={callbackUrl} />
        </PostForm>
      ))}
    </div>
  )
}
