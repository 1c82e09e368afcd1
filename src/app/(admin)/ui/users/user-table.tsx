'use client'

import type { ComponentProps } from 'react'
import { type Column, Table } from '@/ui/list'
import { Badge, LocalTime } from '@/ui/text'
import { statusLabels } from '../status-labels'
import { SelectAll } from './select-all'

export interface UserRow {
  id: string
  name: string
  email: string
  role: string
  /** Names of the sign-in methods. */
  methods: string
  // The page contains each value twice, so these are short: times in seconds, and the usual status not.
  createdAt: number
  seenAt?: number
  inactive?: true
  frozen?: true
}

interface UserTableProps
  extends Pick<ComponentProps<typeof Table<UserRow>>, 'caption' | 'rows' | 'empty'> {
  nameSort?: Column<UserRow>['sort']
  createdSort?: Column<UserRow>['sort']
  /** The users can be chosen: it is in a form, which sends their ids as `user`. */
  selectable?: boolean
}

export function UserTable({ nameSort, createdSort, selectable, ...table }: UserTableProps) {
  return (
    <>
      {selectable && table.rows.length > 1 && <SelectAll name="user" />}
      <Table
        {...table}
        rowKey={({ id }) => id}
        columns={[
          {
            header: 'User',
            ...(nameSort && { sort: nameSort }),
            cell: ({ id, name, email }) => (
              <>
                {selectable && <input type="checkbox" name="user" value={id} aria-label={name} />}
                <a href={`/admin/users/${id}`}>{name}</a>
                <small>{email}</small>
              </>
            ),
          },
          { header: 'Role', cell: ({ role }) => role },
          { header: 'Status', cell: Status },
          { header: 'Sign-in', cell: ({ methods }) => methods || 'None' },
          {
            header: 'Joined',
            ...(createdSort && { sort: createdSort }),
            cell: ({ createdAt }) => <LocalTime at={dateOf(createdAt)} />,
          },
        ]}
      />
    </>
  )
}

/** One element, for small screens. */
function Status({ id, inactive, seenAt, frozen }: UserRow) {
  if (frozen) {
    return (
      <a href={`/admin/users/${id}/recovery`}>
        <Badge tone="danger">{statusLabels.frozen}</Badge>
      </a>
    )
  }
  if (seenAt === undefined) return statusLabels.never_signed_in
  return (
    <span>
      {inactive ? statusLabels.inactive : statusLabels.active}
      <small>
        <LocalTime at={dateOf(seenAt)} precision="relative" />
      </small>
    </span>
  )
}

function dateOf(seconds: number): Date {
  return new Date(seconds * 1000)
}
