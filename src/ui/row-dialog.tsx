'use client'

import { lazy, type ReactNode, type SubmitEvent, startTransition, useState } from 'react'
import { Button } from './button'
import { HiddenFields } from './forms/field-layout'
import { Notice } from './text'

/** Loaded when a dialog is opened for the first time. */
const ModalDialog = lazy(() => import('./modal-dialog'))

interface RowDialogProps<Row> {
  /** Unique on the page; also the query field that opens the dialog without JavaScript. */
  name: string
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** The value of the query field. */
  selected: string | undefined
  /** The page without an open dialog. */
  href: string
  title: string
  /** The label of the link that closes it. */
  dismiss?: string
  children: (row: Row, close: () => void) => ReactNode
}

/**
 * One dialog for all rows of a list, opened by their `RowButton`. Without JavaScript the button
 * requests the page with the dialog open.
 */
export function RowDialog<Row>(props: RowDialogProps<Row>) {
  const { name, rows, rowKey, selected, href, title, dismiss = 'Cancel', children } = props
  const [chosen, setChosen] = useState(selected)
  const row = rows.find((candidate) => rowKey(candidate) === chosen)
  const [path, query] = href.replace(/#.*/, '').split('?')
  const open = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { value } = event.nativeEvent.submitter as HTMLButtonElement
    // The rows stay as they are while the dialog is loaded.
    startTransition(() => setChosen(value))
  }
  return (
    <>
      <form id={name} action={path} onSubmit={open}>
        <HiddenFields fields={Object.fromEntries(new URLSearchParams(query))} />
      </form>
      {selected !== undefined && chosen === selected && !row && (
        <Notice>This entry is no longer in the list.</Notice>
      )}
      {row && (
        <ModalDialog
          id={`${name}-dialog`}
          openedBy={chosen === selected ? 'url' : 'button'}
          onClose={() => setChosen(undefined)}
          {...{ title, dismiss, href }}
        >
          {(close) => children(row, close)}
        </ModalDialog>
      )}
    </>
  )
}

interface RowButtonProps {
  /** The name of the `RowDialog`. */
  opens: string
  /** The key of the row. */
  row: string
  children: ReactNode
}

export function RowButton({ opens, row, children }: RowButtonProps) {
  return (
    <Button type="submit" form={opens} name={opens} value={row} variant="secondary" size="small">
      {children}
    </Button>
  )
}

/** The content of a dialog that runs a server action. */
export const ConfirmForm = lazy(() =>
  import('./forms/confirm-action').then((module) => ({ default: module.ConfirmForm })),
)
