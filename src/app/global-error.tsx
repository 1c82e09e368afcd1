'use client'

import { useEffect } from 'react'
import { config } from '@/plinth.config'
import './globals.css'

interface GlobalErrorPageProps {
  error: Error & { digest?: string }
  retry: () => void
}

/**
 * Replaces the root layout when that fails, so it renders a whole document. Next sends it with every
 * page, so it imports as little as possible.
 */
export default function GlobalErrorPage({ error, retry }: GlobalErrorPageProps) {
  // As in ui/status-page.tsx.
  useEffect(() => {
    dispatchEvent(new CustomEvent('plinth:error', { detail: error.name }))
  })
  return (
    <html lang="en" suppressHydrationWarning>
      <body>
        <title>{`Something went wrong · ${config.name}`}</title>
        <script async src="/theme.js" />
        <main className="page-message">
          <h1>Something went wrong on our side.</h1>
          {error.digest && <p>{`Reference: ${error.digest}`}</p>}
          <div>
            <button type="button" onClick={retry} className="button">
              Try again
            </button>
          </div>
        </main>
      </body>
    </html>
  )
}
