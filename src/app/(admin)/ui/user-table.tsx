import type { ComponentProps } from 'react'
import { LocalTime } from '@/core/ui/local-time'
import { Table } from '@/core/ui/table'
import { TextLink } from '@/core/ui/text-link'
import { RoleForm } from './role-form'

interface UserTableProps {
  users: readonly (ComponentProps<typeof RoleForm>['user'] & { email: string; createdAt: Date })[]
  caption: string
  saveRole: ComponentProps<typeof RoleForm>['save']
  roles: ComponentProps<typeof RoleForm>['roles']
}

export function UserTable({ users, caption, saveRole, roles }: UserTableProps) {
  return (
    <Table
      caption={caption}
      rows={users}
      rowKey={({ id }) => id}
      empty="No users match your search. Try fewer letters or a different role."
      columns={[
        {
          header: 'User',
          cell: ({ id, name, email }) => (
            <span className="grid">
              <TextLink href={`/admin/users/${id}`} className="break-words">
                {name}
              </TextLink>
              <span className="font-normal break-all text-muted">{email}</span>
            </span>
          ),
        },
        { header: 'Role', cell: (user) => <RoleForm save={saveRole} user={user} roles={roles} /> },
        { header: 'Joined', cell: ({ createdAt }) => <LocalTime at={createdAt} />, align: 'end' },
      ]}
    />
  )
}
