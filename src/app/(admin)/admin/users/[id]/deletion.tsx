import { ConfirmedForm } from '@/core/ui/confirmed-form'
import { deleteUser } from '../../../actions'

interface DeletionProps {
  user: { id: string; name: string; email: string }
  isSelf: boolean
}

export function Deletion({ user: { id, name, email }, isSelf }: DeletionProps) {
  if (isSelf) {
    return (
      <p className="text-sm text-muted">
        This is you. You delete your own account on your account page, not here.
      </p>
    )
  }
  return (
    <ConfirmedForm
      id="delete-user"
      act={deleteUser}
      fields={{ userId: id }}
      label="Delete the account"
      title={`Delete ${name}?`}
      confirm="Delete this account"
    >
      <p>
        The account of {email} is gone at once and for good, with its sessions, links and providers.
        What was done with it stays in the audit trail.
      </p>
    </ConfirmedForm>
  )
}
