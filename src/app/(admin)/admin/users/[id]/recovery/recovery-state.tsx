import type { Recovery } from 'plinth/recovery/recovery'
import { urlWith } from 'plinth/universal/url'
import { Detail, DetailList } from '@/ui/page-parts'
import { Badge, LocalTime, TextLink } from '@/ui/text'

interface RecoveryStateProps {
  recovery: Recovery | undefined
  /** There are changes whose links work. */
  isRecoverable: boolean
}

export function RecoveryState({ recovery, isRecoverable }: RecoveryStateProps) {
  if (!recovery) {
    return (
      <p className="max-w-prose text-muted">
        The account is not frozen.
        {isRecoverable &&
          ' Its owner can take back the changes below with the links in our emails, while they work.'}
      </p>
    )
  }
  const { state, openedAt, openedBy, readyAt } = recovery
  return (
    <>
      <p className="mb-6 flex flex-wrap items-center gap-2">
        <Badge tone="danger">Frozen</Badge>
        <span className="text-muted">No one can sign in or change anything.</span>
      </p>
      <DetailList>
        <Detail label="Opened">
          <LocalTime at={new Date(openedAt)} precision="minute" />
        </Detail>
        <Detail label={state === 'allowed' ? 'Allowed for' : 'Opened by'}>
          {openedBy.length === 0 ? 'An admin' : openedBy.join(', ')}
        </Detail>
        <Detail label="What comes next">
          <Next state={state} readyAt={new Date(readyAt)} />
        </Detail>
      </DetailList>
    </>
  )
}

const weekMs = 7 * 24 * 60 * 60 * 1000

function Next({ state, readyAt }: { state: Recovery['state']; readyAt: Date }) {
  if (state === 'admin') return 'An admin decides below. Until then the account stays frozen.'
  if (state === 'waiting') {
    return (
      <>
        Its opener can complete it from <LocalTime at={readyAt} precision="minute" /> on, or earlier
        with a proof. If another email objects, an admin decides. You can decide now.
      </>
    )
  }
  return (
    <>
      The reader of this email can complete it until{' '}
      <LocalTime at={new Date(readyAt.getTime() + weekMs)} precision="minute" />. After that the
      account stays as it is.
    </>
  )
}

interface HandOverProps {
  email: string
  /** Undefined if the admin has not signed in recently: it gives the account away. */
  link: string | undefined
  href: string
}

/** Without a mail server the admin brings the link to the owner. */
export function HandOver({ email, link, href }: HandOverProps) {
  return (
    <div className="mt-6 rounded-lg border border-line bg-surface p-5 text-sm">
      <p className="font-medium">
        Mail is not set up. Give this link to the reader of <bdi className="break-all">{email}</bdi>{' '}
        yourself:
      </p>
      {link ? (
        <p className="mt-2">
          <code className="font-mono text-xs break-all select-all">{link}</code>
        </p>
      ) : (
        <p className="mt-2">
          <TextLink href={urlWith('/confirm', { callbackUrl: href })}>
            Confirm that it is you
          </TextLink>{' '}
          to see it.
        </p>
      )}
      <p className="mt-2 text-muted">Anyone who has it can take the account.</p>
    </div>
  )
}
