'use client'

import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'

interface DialogProps {
  title: string
  description?: ReactNode
  children?: ReactNode
  /** Buttons at the foot. Wrap the one that only closes in DialogClose. */
  actions?: ReactNode
  /** The button that opens it. Leave it out when `open` is controlled from elsewhere. */
  trigger?: ReactElement
  open?: boolean
  onOpenChange?: (open: boolean) => void
}

export function Dialog({ title, description, children, actions, trigger, ...state }: DialogProps) {
  return (
    <Base.Root {...state}>
      {trigger && <Base.Trigger render={trigger} />}
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-30 bg-backdrop transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Viewport className="fixed inset-0 z-30 grid items-end justify-items-center overflow-y-auto p-3 sm:items-center sm:p-6">
          <Base.Popup className="relative w-full max-w-md rounded-lg border border-line bg-surface p-5 text-ink shadow-floating outline-none transition duration-150 data-ending-style:translate-y-2 data-ending-style:opacity-0 data-starting-style:translate-y-2 data-starting-style:opacity-0 sm:p-6">
            <Base.Title className="pr-10 text-lg font-semibold">{title}</Base.Title>
            {description && (
              <Base.Description className="mt-1.5 text-sm text-muted">
                {description}
              </Base.Description>
            )}
            {children && <div className="mt-5">{children}</div>}
            {actions && (
              <div className="mt-6 flex flex-col-reverse gap-2.5 sm:flex-row sm:justify-end">
                {actions}
              </div>
            )}
            <Base.Close
              aria-label="Close"
              className="absolute top-3 right-3 grid size-10 cursor-pointer place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink"
            >
              <X className="size-4" aria-hidden="true" />
            </Base.Close>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

export function DialogClose({ children }: { children: ReactElement }) {
  return <Base.Close render={children} />
}
