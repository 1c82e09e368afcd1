import type { FormAction } from '@/core/ui/action-result'
import { ConfirmButton } from '@/core/ui/confirm-button'
import { Form } from '@/core/ui/form'
import { Detail, DetailList } from '@/core/ui/page-parts'
import { SubmitButton } from '@/core/ui/submit-button'
import { LocalTime } from '@/core/ui/text'

interface AppSectionProps {
  app: { confirmedAt: Date | null; lastUsedAt: Date | null } | undefined
  start: FormAction
  remove: FormAction
}

export function AppSection({ app, start, remove }: AppSectionProps) {
  if (!app) {
    return (
      <Form action={start} fields={{ purpose: 'set_up' }} permalink="/account/security">
        <p className="text-muted">You have no authenticator app.</p>
        <SubmitButton>Set up an authenticator app</SubmitButton>
      </Form>
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
        >
          <p>Its codes no longer work. To use an app again, set it up anew.</p>
        </ConfirmButton>
      </div>
    </>
  )
}
