import type { ActionResult } from '@/core/guard/action-result'
import { Button } from '@/core/ui/button'
import { ConfirmedForm } from '@/core/ui/confirmed-form'
import { LocalTime } from '@/core/ui/local-time'

interface Way {
  id: string
  name: string
  linkedAt: Date | undefined
  canBeUnlinked: boolean
}

type Act = (before: unknown, form: FormData) => Promise<ActionResult<unknown>>

interface WaysInProps {
  providers: readonly Way[]
  unlink: Act
}

export function WaysIn({ providers, unlink }: WaysInProps) {
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
      {providers.map((way) => (
        <li
          key={way.id}
          className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-3.5"
        >
          <div>
            <p className="text-sm font-medium">{way.name}</p>
            <p className="text-xs text-muted">
              <State {...way} />
            </p>
          </div>
          <Choice way={way} unlink={unlink} />
        </li>
      ))}
    </ul>
  )
}

function State({ linkedAt, canBeUnlinked }: Way) {
  if (!linkedAt) return 'Not linked'
  return (
    <>
      Linked <LocalTime at={linkedAt} />
      {!canBeUnlinked && '. Your only way in: set a password before you unlink it.'}
    </>
  )
}

function Choice({ way: { id, name, linkedAt, canBeUnlinked }, unlink }: { way: Way; unlink: Act }) {
  if (!linkedAt) return <LinkForm id={id} name={name} />
  if (!canBeUnlinked) return null
  return (
    <div>
      <ConfirmedForm
        id={`unlink-${id}`}
        act={unlink}
        fields={{ provider: id }}
        label="Unlink"
        title={`Unlink ${name}?`}
        confirm="Unlink it"
        size="small"
      >
        <p>You can no longer sign in with it. It can be linked again.</p>
      </ConfirmedForm>
    </div>
  )
}

/** A plain form, like the one that signs in with it. */
function LinkForm({ id, name }: { id: string; name: string }) {
  return (
    <form method="post" action={`/api/auth/signin/${id}`}>
      <input type="hidden" name="callbackUrl" value="/account?done=linked" />
      <Button type="submit" variant="secondary" size="small">
        Link {name}
      </Button>
    </form>
  )
}
