import type { FormAction } from '@/core/ui/action-result'
import { Button } from '@/core/ui/button'
import { ConfirmButton } from '@/core/ui/confirm-button'
import { LocalTime } from '@/core/ui/local-time'

interface Provider {
  id: string
  name: string
  linkedAt: Date | undefined
  canUnlink: boolean
}

interface ProviderListProps {
  providers: readonly Provider[]
  unlink: FormAction
}

export function ProviderList({ providers, unlink }: ProviderListProps) {
  return (
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
          <LinkOrUnlink provider={provider} unlink={unlink} />
        </li>
      ))}
    </ul>
  )
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

interface LinkOrUnlinkProps {
  provider: Provider
  unlink: FormAction
}

function LinkOrUnlink({ provider: { id, name, linkedAt, canUnlink }, unlink }: LinkOrUnlinkProps) {
  if (!linkedAt) return <LinkForm id={id} name={name} />
  if (!canUnlink) return null
  return (
    <ConfirmButton
      id={`unlink-${id}`}
      action={unlink}
      fields={{ provider: id }}
      label="Unlink"
      title={`Unlink ${name}?`}
      confirm={`Unlink ${name}`}
      size="small"
    >
      <p>You will no longer be able to sign in with {name}. You can link it again later.</p>
    </ConfirmButton>
  )
}

/** A plain form, like the sign-in buttons: the OAuth flow starts with a POST. */
function LinkForm({ id, name }: { id: string; name: string }) {
  return (
    <form method="post" action={`/api/auth/signin/${id}`}>
      <input type="hidden" name="callbackUrl" value="/account?done=account_linked" />
      <Button type="submit" variant="secondary" size="small">
        Link {name}
      </Button>
    </form>
  )
}
