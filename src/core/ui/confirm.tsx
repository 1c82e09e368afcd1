import type { ReactNode } from 'react'
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

/** A confirmation before an irreversible action. A native popover, which needs no JavaScript. */
export function Confirm(props: ConfirmProps) {
  const { id, label, title, children, dismiss = 'Cancel', variant = 'secondary', size } = props
  const titleId = `${id}-title`
  return (
    <>
      <Button popoverTarget={id} variant={variant} size={size}>
        {label}
      </Button>
      <dialog id={id} popover="auto" aria-labelledby={titleId} className="dialog">
        <h2 id={titleId}>{title}</h2>
        <div className="dialog-body">{children}</div>
        <Button
          popoverTarget={id}
          popoverTargetAction="hide"
          variant="quiet"
          className="dialog-close"
        >
          {dismiss}
        </Button>
      </dialog>
    </>
  )
}
