import type { ComponentProps } from 'react'
import { Button } from '@/ui/button'
import { RowButton } from '@/ui/row-dialog'
import { LocalTime } from '@/ui/text'
import { UnlinkDialog } from './unlink-dialog'

interface Provider {
  id: string
  name: string
  linkedAt: Date | undefined
  canUnlink: boolean
}

interface ProviderListProps extends Omit<ComponentProps<typeof UnlinkDialog>, 'providers'> {
  providers: readonly Provider[]
}

export function ProviderList({ providers, ...dialog }: ProviderListProps) {
  return (
    <>
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {providers.map((provider) => (
          <li
            key={provider.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-3.5"
          >
            <div>
              <p className="text-sm font-medium">{provider.name}</p>
              <p className="text-xs text-muted">
                <Status {...provider} />
              </p>
            </div>
            <LinkOrUnlink {...provider} />
          </li>
        ))}
      </ul>
      <UnlinkDialog providers={unlinkable(providers)} {...dialog} />
    </>
  )
}

function unlinkable(providers: readonly Provider[]) {
  return providers
    .filter(({ linkedAt, canUnlink }) => linkedAt && canUnlink)
    .map(({ id, name }) => ({ id, name }))
}

function Status({ linkedAt, canUnlink }: Provider) {
  if (!linkedAt) return 'Not linked'
  return (
    <>
      Linked <LocalTime at={linkedAt} />
      {!canUnlink && '. This is your only sign-in method. Set a password before you unlink it.'}
    </>
  )
}

function LinkOrUnlink({ id, name, linkedAt, canUnlink }: Provider) {
  if (!linkedAt) return <LinkForm id={id} name={name} />
  if (!canUnlink) return null
  return (
    <RowButton opens="unlink" row={id}>
      Unlink
    </RowButton>
  )
}

/** A plain form, like the sign-in buttons: the OAuth flow starts with a POST. */
function LinkForm({ id, name }: { id: string; name: string }) {
  return (
    <form method="post" action={`/api/auth/signin/${id}`}>
      <input type="hidden" name="callbackUrl" value="/account/connected" />
      <Button type="submit" variant="secondary" size="small">
        Link {name}
      </Button>
    </form>
  )
}
