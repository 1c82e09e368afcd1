import type { ReactNode } from 'react'

interface PageMessageProps {
  label: string
  title: string
  children: ReactNode
  actions: ReactNode
}

/** A page with one message. */
export function PageMessage({ label, title, children, actions }: PageMessageProps) {
  return (
    <div className="mx-auto w-full max-w-6xl px-5 py-20 sm:px-8 sm:py-32">
      <p className="font-mono text-sm text-accent">{label}</p>
      <h1 className="mt-3 max-w-xl text-3xl">{title}</h1>
      <div className="mt-4 max-w-md text-muted">{children}</div>
      <div className="mt-8 flex flex-wrap gap-3">{actions}</div>
    </div>
  )
}
