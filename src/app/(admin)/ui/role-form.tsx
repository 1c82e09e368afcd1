'use client'

import { useActionState, useEffect } from 'react'
import type { Role } from '@/core/config/roles'
import { type FormAction, typedIn } from '@/core/ui/action-result'
import { ConfirmIdentity } from '@/core/ui/confirm-identity'
import { SubmitButton } from '@/core/ui/submit-button'

interface RoleFormProps {
  save: FormAction<{ role: Role }>
  user: { id: string; name: string; role: Role }
  roles: readonly Role[]
  onSaved?: (role: Role) => void
}

/** Saved by a button: a select changes value while it is navigated by keyboard. */
export function RoleForm({ save, user, roles, onSaved }: RoleFormProps) {
  const [result, submit] = useActionState(save, undefined)
  const role = typedIn(result, 'role') ?? user.role
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each result
  useEffect(() => {
    if (result?.ok) onSaved?.(result.data.role)
  }, [result])
  return (
    <form action={submit} className="grid justify-items-start gap-3">
      <span className="flex items-center gap-2">
        <input type="hidden" name="userId" value={user.id} />
        <select
          // Remounted after saving: React resets a submitted form to its first default value.
          key={role}
          name="role"
          defaultValue={role}
          aria-label={`Role of ${user.name}`}
          className="control"
        >
          {roles.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
        <SubmitButton>Change role</SubmitButton>
      </span>
      <ConfirmIdentity result={result} page="/admin/users" />
      <span role="status" className="text-xs font-medium empty:hidden">
        {result?.ok && <span className="text-accent">Role changed to {result.data.role}.</span>}
        {result?.ok === false && result.code !== 'reauthentication_required' && (
          <span className="text-danger">{result.message}</span>
        )}
      </span>
    </form>
  )
}
