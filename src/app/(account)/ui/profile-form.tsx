import type { FormAction } from 'plinth/universal/action-result'
import { InputField } from '@/ui/forms/field'
import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'
import { Badge } from '@/ui/text'

interface ProfileFormProps {
  save: FormAction
  name: string
  email: string
  role: string
}

export function ProfileForm({ save, name, email, role }: ProfileFormProps) {
  return (
    <Form action={save} permalink="/account" className="max-w-md">
      <InputField
        label="Name"
        name="name"
        autoComplete="name"
        required
        maxLength={1000}
        defaultValue={name}
      />
      <dl className="grid gap-1.5 text-sm">
        <div className="flex flex-wrap gap-x-3">
          <dt className="text-muted">Email</dt>
          <dd className="min-w-0 break-words">{email}</dd>
        </div>
        <div className="flex flex-wrap gap-x-3">
          <dt className="text-muted">Role</dt>
          <dd>
            <Badge>{role}</Badge>
          </dd>
        </div>
      </dl>
      <SubmitButton>Save changes</SubmitButton>
    </Form>
  )
}
