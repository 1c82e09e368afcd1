'use client'

import {
  type MouseEvent,
  type ReactNode,
  type SubmitEvent,
  useEffect,
  useRef,
  useState,
} from 'react'
import { Button, ButtonLink } from './button'
import { HiddenFields } from './hidden-fields'

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
  /** Of the link that closes it. */
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
    setChosen((event.nativeEvent.submitter as HTMLButtonElement).value)
  }
  return (
    <>
      <form id={name} action={path} onSubmit={open}>
        <HiddenFields fields={Object.fromEntries(new URLSearchParams(query))} />
      </form>
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

interface ModalDialogProps {
  id: string
  title: string
  dismiss: string
  href: string
  openedBy: 'url' | 'button'
  onClose: () => void
  children: (close: () => void) => ReactNode
}

function ModalDialog({ id, title, dismiss, href, openedBy, onClose, children }: ModalDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (!element) return
    // Sent as open but not modal, for browsers without JavaScript.
    element.removeAttribute('open')
    element.showModal()
    // Without a field, not on the button that runs the action.
    const field = element.querySelector<HTMLElement>('select, input:not([type="hidden"])')
    const dismissLink = element.querySelector<HTMLElement>('.dialog-close')
    ;(field ?? dismissLink)?.focus()
  }, [])
  const close = () => dialog.current?.close()
  const closeInPlace = (event: MouseEvent) => {
    event.preventDefault()
    close()
  }
  return (
    <dialog
      ref={dialog}
      open={openedBy === 'url'}
      aria-labelledby={`${id}-title`}
      className="dialog"
      onClose={onClose}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      <div className="dialog-body">{children(close)}</div>
      <ButtonLink
        href={href}
        onClick={openedBy === 'button' ? closeInPlace : undefined}
        variant="quiet"
        className="dialog-close"
      >
        {dismiss}
      </ButtonLink>
    </dialog>
  )
}
