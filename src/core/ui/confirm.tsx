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
export function Confirm({
  id,
  label,
  title,
  children,
  dismiss = 'Cancel',
  variant,
  size,
}: ConfirmProps) {
  const titleId = `${id}-title`
  return (
    <>
      <Button popoverTarget={id} variant={variant ?? 'secondary'} size={size}>
        {label}
      </Button>
      <dialog
        id={id}
        popover="auto"
        aria-labelledby={titleId}
        className="fixed inset-x-3 top-auto bottom-3 m-auto w-auto max-w-md rounded-lg border border-line bg-surface p-5 text-left text-base font-normal text-ink shadow-floating backdrop:bg-backdrop sm:inset-6 sm:h-fit sm:p-6"
      >
        <h2 id={titleId} className="text-lg">
          {title}
        </h2>
        <div className="mt-2 text-sm text-muted">{children}</div>
        <Button
          popoverTarget={id}
          popoverTargetAction="hide"
          variant="quiet"
          className="mt-2.5 w-full"
        >
          {dismiss}
        </Button>
      </dialog>
    </>
  )
}
