'use client'

import { Table } from '@/ui/list'
import { Badge, LocalTime } from '@/ui/text'

interface SignIn {
  id: number
  at: Date
  succeeded: boolean
  ip: string
}

export function SignInList({ signIns }: { signIns: readonly SignIn[] }) {
  return (
    <Table
      caption="Recent sign-ins"
      rows={signIns}
      rowKey={({ id }) => String(id)}
      empty="No sign-ins yet."
      columns={[
        { header: 'Time', cell: ({ at }) => <LocalTime at={at} precision="minute" /> },
        { header: 'IP address', cell: ({ ip }) => <span className="break-all">{ip}</span> },
        {
          header: 'Result',
          align: 'end',
          cell: ({ succeeded }) => (succeeded ? 'Signed in' : <Badge>Failed</Badge>),
        },
      ]}
    />
  )
}
