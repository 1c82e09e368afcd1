'use client'

import { type ComponentProps, useState } from 'react'
import { LocalTime } from '@/core/ui/local-time'
import { Notice } from '@/core/ui/notice'
import { RowButton, RowDialog } from '@/core/ui/row-dialog'
import { Table } from '@/core/ui/table'
import { RoleForm } from './role-form'

interface UserTableProps {
  users: readonly (ComponentProps<typeof RoleForm>['user'] & { email: string; createdAt: Date })[]
  caption: string
  saveRole: ComponentProps<typeof RoleForm>['save']
  roles: ComponentProps<typeof RoleForm>['roles']
  /** The user whose role to change, from `?change=`. */
  selected: string | undefined
  /** The page that shows these users. */
  href: string
}

export function UserTable(props: UserTableProps) {
  const { users, caption, saveRole, roles, selected, href } = props
  const [saved, setSaved] = useState<string>()
  return (
    <>
      {saved && (
        <div className="mb-6">
          <Notice tone="positive">{saved}</Notice>
        </div>
      )}
      <Table
        caption={caption}
        rows={users}
        rowKey={({ id }) => id}
        empty="No users match your search. Try fewer letters or a different role."
        columns={[
          {
            header: 'User',
            cell: ({ id, name, email }) => (
              <>
                <a href={`/admin/users/${id}`}>{name}</a>
                <small>{email}</small>
              </>
            ),
          },
          { header: 'Role', cell: ({ role }) => role },
          { header: 'Joined', cell: ({ createdAt }) => <LocalTime at={createdAt} /> },
          {
            header: 'Actions',
            align: 'end',
            cell: ({ id }) => (
              <RowButton opens="change" row={id}>
                Change role
              </RowButton>
            ),
          },
        ]}
      />
      <RowDialog
        name="change"
        rows={users}
        rowKey={({ id }) => id}
        selected={selected}
        href={href}
        title="Change role"
      >
        {(user, close) => (
          <>
            <p className="mb-5">
              {user.name} ({user.email}) is {user.role}. The new role takes effect immediately.
            </p>
            <RoleForm
              save={saveRole}
              user={user}
              roles={roles}
              onSaved={(role) => {
                setSaved(`Role of ${user.name} changed to ${role}.`)
                close()
              }}
            />
          </>
        )}
      </RowDialog>
    </>
  )
}
