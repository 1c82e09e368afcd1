'use client'

import { Toast as Base } from '@base-ui/react/toast'
import clsx from 'clsx'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'

interface Message {
  title: string
  description?: string
  tone?: 'neutral' | 'danger'
}

/** Wraps the part of the application that shows toasts, and holds the region they are read from. */
export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Base.Provider limit={3} timeout={6000}>
      {children}
      <Base.Portal>
        <Base.Viewport className="fixed inset-x-3 bottom-3 z-50 flex flex-col gap-2 sm:inset-x-auto sm:right-6 sm:bottom-6 sm:w-88">
          <ToastList />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  )
}

/** Bad news interrupts and stays until it is dismissed; the rest is announced politely. */
export function useToast() {
  const { add } = Base.useToastManager()
  return ({ title, description, tone = 'neutral' }: Message) =>
    add({
      title,
      description,
      type: tone,
      ...(tone === 'danger' && { priority: 'high', timeout: 0 }),
    })
}

function ToastList() {
  const { toasts } = Base.useToastManager()
  return toasts.map((toast) => (
    <Base.Root
      key={toast.id}
      toast={toast}
      swipeDirection={['right', 'down']}
      className={clsx(
        'relative rounded-lg border border-line bg-surface text-ink shadow-floating transition duration-200 data-ending-style:opacity-0 data-limited:hidden data-starting-style:translate-y-3 data-starting-style:opacity-0',
        'translate-x-(--toast-swipe-movement-x) translate-y-(--toast-swipe-movement-y)',
      )}
    >
      <Base.Content className="py-3.5 pr-12 pl-9">
        <span
          className={clsx(
            'absolute top-5.5 left-4 size-2 rounded-full',
            toast.type === 'danger' ? 'bg-danger' : 'bg-accent',
          )}
        />
        <Base.Title className="text-sm font-medium" />
        <Base.Description className="mt-0.5 text-sm text-muted" />
        <Base.Close
          aria-label="Dismiss"
          // Base UI hides it from screen readers until the stack is hovered; this stack is always open.
          aria-hidden={false}
          className="absolute top-2 right-2 grid size-9 cursor-pointer place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink"
        >
          <X className="size-4" aria-hidden="true" />
        </Base.Close>
      </Base.Content>
    </Base.Root>
  ))
}
