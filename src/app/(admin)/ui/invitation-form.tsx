import type { FormAction } from '@/core/ui/action-result'
import { InputField } from '@/core/ui/field'
import { Form } from '@/core/ui/form'

export function InvitationForm({ send }: { send: FormAction }) {
  return (
    <Form action={send} submitLabel="Send invitation" className="mb-8 max-w-md">
      <InputField
        label="Email"
        name="email"
        type="email"
        required
        description="We send a link that works once and expires after seven days."
      />
    </Form>
  )
}
