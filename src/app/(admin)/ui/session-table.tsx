import type { ComponentProps } from 'react'
import { deviceOf } from '@/core/ui/device'
import { LocalTime } from '@/core/ui/local-time'
import { OneButtonForm } from '@/core/ui/one-button-form'
import { Table } from '@/core/ui/table'

interface SessionTableProps {
  sessions: readonly {
    id: string
    createdAt: Date
    expiresAt: Date
    address: string | undefined
    userAgent: string | undefined
  }[]
  userId: string
  end: ComponentProps<typeof OneButtonForm>['act']
}

export function SessionTable({ sessions, userId, end }: SessionTableProps) {
  return (
    <Table
      caption="Signed in on"
      rows={sessions}
      rowKey={({ id }) => id}
      empty="This person is signed in nowhere."
      columns={[
        {
          header: 'Device',
          cell: ({ userAgent }) => (
            <span title={userAgent} className="break-words">
              {deviceOf(userAgent)}
            </span>
          ),
        },
        { header: 'Address', cell: ({ address }) => address ?? 'unknown' },
        {
          header: 'Since',
          cell: ({ createdAt }) => <LocalTime at={createdAt} precision="minute" />,
        },
        { header: 'Until', cell: ({ expiresAt }) => <LocalTime at={expiresAt} /> },
        {
          header: 'End it',
          cell: ({ id }) => (
            <OneButtonForm
              act={end}
              fields={{ userId, sessionId: id }}
              label="End this"
              variant="secondary"
              size="small"
            />
          ),
        },
      ]}
    />
  )
}
