'use client'

import { ButtonLink } from '@/core/ui/button'
import { Table } from '@/core/ui/list'
import { LocalTime } from '@/core/ui/text'
import { addFactorUrl } from '../add-factor-url'

interface Passkey {
  id: string
  name: string
  synced: boolean
  createdAt: Date
  lastUsedAt: Date | null
}

export function PasskeyList({ passkeys }: { passkeys: readonly Passkey[] }) {
  return (
    <>
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
      <ButtonLink href={addFactorUrl('/account/security/passkeys/new')} className="mt-5">
        Add a passkey
      </ButtonLink>
    </>
  )
}
