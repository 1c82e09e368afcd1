'use client'

import type { FormAction } from 'plinth/universal/action-result'
import type { Role } from 'plinth/universal/users'
import { CheckboxField, SelectField } from '@/ui/forms/field'
import { Form } from '@/ui/forms/form'

interface RoleFormProps {
  save: FormAction
  user: { id: string; name: string; role: Role }
  roles: readonly Role[]
  /** The user is the admin. */
  isSelf: boolean
}

/** Saved by a button: a select changes value while it is navigated by keyboard. */
export function RoleForm({ save, user, roles, isSelf }: RoleFormProps) {
  return (
    <Form
      action={save}
      fields={{ userId: user.id }}
      permalink={`/admin/users/${user.id}`}
      submitLabel="Change role"
      className="max-w-md"
    >
      <SelectField
        label={`Role of ${user.name}`}
        name="role"
        required
        defaultValue={user.role}
        options={roles.map((role) => ({ value: role, label: role }))}
        description="The new role takes effect immediately."
      />
      {isSelf && (
        <CheckboxField
          label="I give up the admin role"
          name="confirmed"
          required
          description="This is your own account. Without the admin role you lose access to the administration immediately, and only another admin can give it back to you."
        />
      )}
    </Form>
  )
}
