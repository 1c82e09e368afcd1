'use client'

import { Table } from '@/ui/list'
import { LocalTime } from '@/ui/text'

interface Passkey {
  id: string
  name: string
  synced: boolean
  createdAt: Date
  lastUsedAt: Date | null
}

export function PasskeyList({ passkeys }: { passkeys: readonly Passkey[] }) {
  return (
    <Table
      caption="Passkeys"
      rows={passkeys}
      rowKey={({ id }) => id}
      empty="You have no passkeys."
      columns={[
        { header: 'Passkey', cell: ({ name }) => <span className="break-words">{name}</span> },
        { header: 'Added', cell: ({ createdAt }) => <LocalTime at={createdAt} /> },
        {
          header: 'Last used',
          cell: ({ lastUsedAt }) => (lastUsedAt ? <LocalTime at={lastUsedAt} /> : 'Never'),
        },
        { header: 'Synced', cell: ({ synced }) => (synced ? 'Yes' : 'No') },
        {
          header: 'Settings',
          align: 'end',
          cell: ({ id, name }) => (
            <a href={`/account/security/passkeys/${id}`} aria-label={`Edit ${name}`}>
              Edit
            </a>
          ),
        },
      ]}
    />
  )
}
