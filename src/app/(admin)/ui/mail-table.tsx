'use client'

import { Table } from '@/ui/list'
import { LocalTime } from '@/ui/text'

interface MailTableProps {
  mail: readonly {
    id: number
    purpose: string
    email: string
    attempts: number
    reason: string
    failedAt: Date
  }[]
  /** More than are listed. */
  total: number
}

export function MailTable({ mail, total }: MailTableProps) {
  const caption = 'Mail that was not sent'
  return (
    <Table
      caption={total > mail.length ? `${caption}: the newest ${mail.length}` : caption}
      rows={mail}
      rowKey={({ id }) => String(id)}
      empty="No mail has failed."
      columns={[
        { header: 'Mail', cell: ({ purpose }) => <span className="break-words">{purpose}</span> },
        { header: 'To', cell: ({ email }) => <bdi className="break-all">{email}</bdi> },
        { header: 'Reason', cell: ({ reason }) => <span className="break-words">{reason}</span> },
        {
          header: 'Failed',
          cell: ({ failedAt }) => <LocalTime at={failedAt} precision="minute" />,
        },
        { header: 'Attempts', align: 'end', cell: ({ attempts }) => attempts },
      ]}
    />
  )
}
