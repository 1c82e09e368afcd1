'use client'

import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { ButtonLink } from './button'

interface ModalDialogProps {
  id: string
  title: string
  dismiss: string
  href: string
  openedBy: 'url' | 'button'
  onClose: () => void
  children: (close: () => void) => ReactNode
}

/** Keeps the focus until it is closed. */
export default function ModalDialog(props: ModalDialogProps) {
  const { id, title, dismiss, href, openedBy, onClose, children } = props
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
