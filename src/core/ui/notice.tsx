import type { ReactNode } from 'react'

/** Bad news about a whole form, read out when the page opens. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <p
      role="alert"
      className="flex gap-2.5 rounded-md border border-danger px-3.5 py-3 text-sm text-danger"
    >
      {children}
    </p>
  )
}
