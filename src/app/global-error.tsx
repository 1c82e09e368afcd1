'use client'

import { GeistMono } from 'geist/font/mono'
import { GeistSans } from 'geist/font/sans'
import { productName } from '@/core/name'
import { FailureMessage } from '@/core/ui/failure-message'
import './globals.css'

interface GlobalErrorPageProps {
  error: Error & { digest?: string }
  retry: () => void
}

/** Stands in for the root layout when that is what failed, so it brings its own document. */
export default function GlobalErrorPage({ error, retry }: GlobalErrorPageProps) {
  return (
    <html
      lang="en"
      className={`${GeistSans.variable} ${GeistMono.variable}`}
      suppressHydrationWarning
    >
      <body>
        <title>{`Something went wrong · ${productName}`}</title>
        <FailureMessage reference={error.digest} onRetry={retry} />
      </body>
    </html>
  )
}
