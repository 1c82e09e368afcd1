'use client'

import type { FormAction } from 'plinth/universal/action-result'
import { Button } from '@/ui/button'
import { Form } from '@/ui/forms/form'
import { Table } from '@/ui/list'
import { LocalTime } from '@/ui/text'

interface Browser {
  id: string
  device: string
  ip: string
  createdAt: Date
  expiresAt: Date
}

interface BrowserListProps {
  browsers: readonly Browser[]
  forget: FormAction
}

export function BrowserList({ browsers, forget }: BrowserListProps) {
  return (
    <Table
      caption="Remembered browsers"
      rows={browsers}
      rowKey={({ id }) => id}
      empty="No browser is remembered."
      columns={[
        { header: 'Browser', cell: ({ device }) => device },
        { header: 'IP address', cell: ({ ip }) => <span className="break-all">{ip}</span> },
        { header: 'Since', cell: ({ createdAt }) => <LocalTime at={createdAt} /> },
        { header: 'Until', cell: ({ expiresAt }) => <LocalTime at={expiresAt} /> },
        {
          header: 'Remembered',
          align: 'end',
          cell: ({ id }) => (
            <Form action={forget} fields={{ browserId: id }} permalink="/account/security">
              <Button type="submit" variant="secondary" size="small">
                Forget
              </Button>
            </Form>
          ),
        },
      ]}
    />
  )
}
