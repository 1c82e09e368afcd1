import type { ReactNode } from 'react'
import { Button } from './button'

interface ConfirmProps {
  /** Unique on the page. */
  id: string
  /** What the button that asks says. */
  label: string
  title: string
  /** What will be gone, and the form that does it. */
  children: ReactNode
  variant?: 'danger' | 'secondary' | 'quiet'
  size?: 'small' | 'medium'
}

/** Asks before something that cannot be taken back: a native popover, which needs no JavaScript. */
export function Confirm({ id, label, title, children, variant, size }: ConfirmProps) {
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
          Cancel
        </Button>
      </dialog>
    </>
  )
}
