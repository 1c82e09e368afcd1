'use client'

import type { FormAction } from 'plinth/universal/action-result'
import type { ReactNode } from 'react'
import { Table } from '@/ui/list'
import { ConfirmForm, RowButton, RowDialog } from '@/ui/row-dialog'
import { Badge, LocalTime } from '@/ui/text'

export interface ChangeRow {
  id: string
  at: Date
  sentences: readonly string[]
  by: string
  confirmed: boolean
  /** Where its notice went. */
  email: string | undefined
  linkEndsAt: Date | undefined
}

export function ChangeTable({ changes }: { changes: readonly ChangeRow[] }) {
  return (
    <Table
      caption="Oldest first"
      rows={changes}
      rowKey={({ id }) => id}
      empty="No change in the last 30 days can be taken back."
      columns={[
        { header: 'Time', cell: ({ at }) => <LocalTime at={at} precision="minute" /> },
        {
          header: 'Change',
          cell: ({ sentences, by, confirmed }) => (
            <span className="break-words">
              {sentences.join(' ')}
              <small>
                {by === 'admin' ? 'By an admin' : 'By the user'}
                {confirmed && ', confirmed with an app or passkey'}
              </small>
            </span>
          ),
        },
        {
          header: 'Notice to',
          cell: ({ email }) => <bdi className="break-all">{email ?? 'No one'}</bdi>,
        },
        {
          header: 'Link',
          cell: ({ linkEndsAt }) =>
            linkEndsAt ? (
              <span>
                <Badge tone="positive">Works</Badge>
                <small>
                  until <LocalTime at={linkEndsAt} precision="minute" />
                </small>
              </span>
            ) : (
              <Badge>None</Badge>
            ),
        },
      ]}
    />
  )
}

export interface EmailRow {
  email: string
  /** The place of the email in the history of the account. */
  place: string
  status: string
}

interface EmailTableProps {
  emails: readonly EmailRow[]
  userId: string
  allow: FormAction
  /** From `?allow=`. */
  selected: string | undefined
  href: string
}

export function EmailTable({ emails, userId, allow, selected, href }: EmailTableProps) {
  return (
    <>
      <Table
        caption="Emails of the account"
        rows={emails}
        rowKey={({ email }) => email}
        empty="None."
        columns={[
          { header: 'Email', cell: ({ email }) => <bdi className="break-all">{email}</bdi> },
          { header: 'Of the account', cell: ({ place }) => place },
          { header: 'Recovery', cell: ({ status }) => status },
          {
            header: 'Decision',
            align: 'end',
            cell: ({ email }) => (
              <RowButton opens="allow" row={email}>
                Allow
              </RowButton>
            ),
          },
        ]}
      />
      <RowDialog
        name="allow"
        rows={emails}
        rowKey={({ email }) => email}
        selected={selected}
        href={href}
        title="Give the account to this email?"
      >
        {({ email }, close) => (
          <ConfirmForm
            action={allow}
            fields={{ userId, email }}
            confirm="Allow this email"
            onDone={close}
          >
            <p>
              The reader of <bdi className="break-all">{email}</bdi> can take back the account
              within seven days: the changes are undone, and they choose its email and password.
              Make sure first, outside of this app, that this is the owner.
            </p>
          </ConfirmForm>
        )}
      </RowDialog>
    </>
  )
}

interface DecisionButtonProps {
  /** The query field that opens it without JavaScript. */
  name: string
  label: string
  title: string
  confirm: string
  action: FormAction
  userId: string
  /** From the query field. */
  selected: string | undefined
  href: string
  /** The consequences. */
  children: ReactNode
}

/**
 * A dialog of its own URL without JavaScript. React streams the form of a `ConfirmButton` again if it
 * asks for the password, and without a script it would not appear.
 */
export function DecisionButton(props: DecisionButtonProps) {
  const { name, label, title, confirm, action, userId, selected, href, children } = props
  return (
    <>
      <RowButton opens={name} row="yes">
        {label}
      </RowButton>
      <RowDialog
        name={name}
        rows={['yes']}
        rowKey={(row) => row}
        selected={selected}
        href={href}
        title={title}
      >
        {(_, close) => (
          <ConfirmForm action={action} fields={{ userId }} confirm={confirm} onDone={close}>
            {children}
          </ConfirmForm>
        )}
      </RowDialog>
    </>
  )
}
