import type { FormAction } from 'plinth/universal/action-result'
import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'
import { Section } from '@/ui/page-parts'

interface OtherSessionsProps {
  /** How many there are besides the current one. */
  count: number
  revoke: FormAction
}

/** After a change of factors: someone who was signed in before it still is. */
export function OtherSessions({ count, revoke }: OtherSessionsProps) {
  return (
    <Section
      title="Other sessions"
      lead="Your change does not sign out the devices where you are signed in already."
    >
      <Form action={revoke} permalink="/account/security">
        <p>
          {count === 1
            ? 'You have one other session. If you do not recognize it, revoke it.'
            : `You have ${count} other sessions. If you do not recognize them all, revoke them.`}{' '}
          Remembered browsers are forgotten too.
        </p>
        <SubmitButton>
          {count === 1 ? 'Revoke other session' : 'Revoke other sessions'}
        </SubmitButton>
      </Form>
    </Section>
  )
}
