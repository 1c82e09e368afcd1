import { ConfirmButton } from '@/ui/forms/confirm-button'
import { deleteUser } from '../../../actions'

interface DeleteUserFormProps {
  user: { id: string; name: string; email: string }
  isSelf: boolean
}

export function DeleteUserForm({ user: { id, name, email }, isSelf }: DeleteUserFormProps) {
  if (isSelf) {
    return (
      <p className="text-sm text-muted">
        This is your own account. To delete it, go to your account page.
      </p>
    )
  }
  return (
    <ConfirmButton
      id="delete-user"
      action={deleteUser}
      fields={{ userId: id }}
      label="Delete account"
      title={`Delete ${name}?`}
      confirm="Delete this account"
    >
      <p>
        This deletes the account <bdi>{email}</bdi> with its sessions and linked accounts. Its
        events stay in the audit log. You cannot undo this.
      </p>
    </ConfirmButton>
  )
}
