'use client'

import clsx from 'clsx'
import { useActionState } from 'react'
import type { Role } from '@/core/auth/roles'
import type { ActionResult } from '@/core/guard/action-result'
import { controlStyle } from '@/core/ui/field'
import { SubmitButton } from '@/core/ui/submit-button'

interface RoleFormProps {
  save: (before: unknown, form: FormData) => Promise<ActionResult<{ role: Role }>>
  user: { id: string; name: string; role: Role }
  roles: readonly Role[]
}

/** A choice and a button: whoever goes through the roles by keyboard has not chosen one yet. */
export function RoleForm({ save, user, roles }: RoleFormProps) {
  const [result, submit] = useActionState(save, undefined)
  return (
    <form action={submit} className="grid justify-items-start gap-1.5">
      <span className="flex items-center gap-2">
        <input type="hidden" name="userId" value={user.id} />
        <select
          // Drawn anew when it is saved: a form that was sent goes back to what it began with.
          key={user.role}
          name="role"
          defaultValue={user.role}
          aria-label={`Role of ${user.name}`}
          className={clsx(controlStyle, 'h-9 w-28')}
        >
          {roles.map((role) => (
            <option key={role} value={role}>
              {role}
            </option>
          ))}
        </select>
        <SubmitButton variant="secondary" size="small">
          Change
        </SubmitButton>
      </span>
      <span role="status" className="max-w-72 text-xs font-medium whitespace-normal empty:hidden">
        {result?.ok && <span className="text-accent">Now {result.data.role}.</span>}
        {result?.ok === false && <span className="text-danger">{result.message}</span>}
      </span>
    </form>
  )
}
