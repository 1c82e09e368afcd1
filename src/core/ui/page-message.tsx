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
    <div className="page-message">
      <small>{label}</small>
      <h1>{title}</h1>
      <div>{children}</div>
      <div>{actions}</div>
    </div>
  )
}
