import type { FormAction } from '@/core/ui/action-result'
import { deviceOf } from '@/core/ui/device'
import { Form } from '@/core/ui/form'
import { LocalTime } from '@/core/ui/local-time'
import { SubmitButton } from '@/core/ui/submit-button'
import { Table } from '@/core/ui/table'

interface SessionTableProps {
  sessions: readonly {
    id: string
    createdAt: Date
    expiresAt: Date
    ip: string | undefined
    userAgent: string | undefined
  }[]
  /** Sent with the session's id. */
  fields: Readonly<Record<string, string>>
  revoke: FormAction
}

export function SessionTable({ sessions, fields, revoke }: SessionTableProps) {
  return (
    <Table
      caption="Active sessions"
      rows={sessions}
      rowKey={({ id }) => id}
      empty="This user is not signed in on any device."
      columns={[
        {
          header: 'Device',
          cell: ({ userAgent }) => (
            <span title={userAgent} className="break-words">
              {deviceOf(userAgent)}
            </span>
          ),
        },
        { header: 'IP address', cell: ({ ip }) => ip ?? 'unknown' },
        {
          header: 'Signed in',
          cell: ({ createdAt }) => <LocalTime at={createdAt} precision="minute" />,
        },
        { header: 'Expires', cell: ({ expiresAt }) => <LocalTime at={expiresAt} /> },
        {
          header: 'Session',
          cell: ({ id }) => (
            <Form action={revoke} fields={{ ...fields, sessionId: id }}>
              <SubmitButton variant="secondary" size="small">
                Revoke session
              </SubmitButton>
            </Form>
          ),
        },
      ]}
    />
  )
}
