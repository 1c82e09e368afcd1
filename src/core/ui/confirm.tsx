'use client'

import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { Button } from './button'

interface ConfirmProps {
  /** Unique on the page. */
  id: string
  /** Of the button that opens it. */
  label: string
  title: string
  /** The consequences. */
  children: ReactNode
  /** Of the button that closes it. */
  dismiss?: string
  variant?: 'danger' | 'secondary' | 'quiet'
  size?: 'small' | 'medium'
}

/**
 * A confirmation before an irreversible action: a modal dialog. Without JavaScript it is a native
 * popover. It starts on the button that closes it.
 */
export function Confirm(props: ConfirmProps) {
  const { id, label, title, children, dismiss = 'Cancel', variant = 'secondary', size } = props
  const titleId = `${id}-title`
  const dialog = useRef<HTMLDialogElement>(null)
  const openAsModal = (event: MouseEvent) => {
    event.preventDefault()
    dialog.current?.showModal()
    dialog.current?.querySelector<HTMLElement>('.dialog-close')?.focus()
  }
  const close = (event: MouseEvent) => {
    event.preventDefault()
    dialog.current?.close()
  }
  useEffect(() => openAsModalInstead(dialog.current), [])
  return (
    <>
      <Button popoverTarget={id} variant={variant} size={size} onClick={openAsModal}>
        {label}
      </Button>
      <dialog ref={dialog} id={id} popover="auto" aria-labelledby={titleId} className="dialog">
        <h2 id={titleId}>{title}</h2>
        <div className="dialog-body">{children}</div>
        <Button
          popoverTarget={id}
          popoverTargetAction="hide"
          onClick={close}
          variant="quiet"
          className="dialog-close"
          autoFocus
        >
          {dismiss}
        </Button>
      </dialog>
    </>
  )
}

/** It may have been opened before React was loaded. */
function openAsModalInstead(dialog: HTMLDialogElement | null): void {
  if (!dialog?.matches(':popover-open')) return
  dialog.hidePopover()
  dialog.showModal()
}
