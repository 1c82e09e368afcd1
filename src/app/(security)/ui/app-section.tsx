import type { FormAction } from 'plinth/universal/action-result'
import { ButtonLink } from '@/ui/button'
import { ConfirmButton } from '@/ui/forms/confirm-button'
import { Detail, DetailList } from '@/ui/page-parts'
import { LocalTime } from '@/ui/text'
import { addFactorUrl } from './add-factor-url'

interface AppSectionProps {
  app: { confirmedAt: Date | null; lastUsedAt: Date | null } | undefined
  remove: FormAction
}

export function AppSection({ app, remove }: AppSectionProps) {
  if (!app) {
    return (
      <div className="grid justify-items-start gap-5">
        <p className="text-muted">You have no authenticator app.</p>
        <ButtonLink href={addFactorUrl('/account/security/app')}>
          Set up an authenticator app
        </ButtonLink>
      </div>
    )
  }
  return (
    <>
      <DetailList>
        <Detail label="Added">{app.confirmedAt && <LocalTime at={app.confirmedAt} />}</Detail>
        <Detail label="Last used">{app.lastUsedAt && <LocalTime at={app.lastUsedAt} />}</Detail>
      </DetailList>
      <div className="mt-5">
        <ConfirmButton
          id="remove-app"
          action={remove}
          label="Remove authenticator app"
          title="Remove your authenticator app?"
          confirm="Remove authenticator app"
          page="/account/security"
        >
          <p>Its codes no longer work. To use an app again, set it up anew.</p>
        </ConfirmButton>
      </div>
    </>
  )
}
