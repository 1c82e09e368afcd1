'use client'

import { type ComponentProps, type ReactNode, useEffect } from 'react'
import { Brand } from './brand'

const homeLink = (
  <a href="/" className="button button-secondary">
    Go to the home page
  </a>
)

type StatusPageProps = Omit<ComponentProps<typeof PageMessage>, 'actions'> &
  Partial<Pick<ComponentProps<typeof PageMessage>, 'actions'>>

/**
 * Shown instead of a page: not found, forbidden, failed. Next sends all of them with every page, so
 * they have no shell and are client components in one file, with their texts, which keeps the payload
 * small.
 */
export function StatusPage({ actions = homeLink, ...props }: StatusPageProps) {
  return (
    <>
      <header className="shell-header">
        <div>
          <Brand />
        </div>
      </header>
      <main id="main" tabIndex={-1} className="outline-none">
        <PageMessage actions={actions} {...props} />
      </main>
    </>
  )
}

export function NotFoundPage() {
  return (
    <StatusPage label="404" title="Page not found.">
      Check the URL for mistakes. The page may have been moved or deleted.
    </StatusPage>
  )
}

interface FailurePageProps {
  error: Error & { digest?: string }
  retry: () => void
}

/** Shows no details: the reference leads to them in the log. */
export function FailurePage({ error: { name, digest }, retry }: FailurePageProps) {
  // For enhancements/outdated-page.ts, which is not part of every page.
  useEffect(() => {
    dispatchEvent(new CustomEvent('plinth:error', { detail: name }))
  })
  return (
    <>
      {/* After a server error React rebuilds the document, and scripts it inserts run only if async. */}
      <script async src="/theme.js" />
      <StatusPage
        label="Error"
        title="Something went wrong on our side."
        actions={
          <>
            <button type="button" onClick={retry} className="button">
              Try again
            </button>
            {homeLink}
          </>
        }
      >
        {digest && (
          <p>
            Reference: <code className="font-mono text-sm text-ink">{digest}</code>
          </p>
        )}
      </StatusPage>
    </>
  )
}

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
