'use client'

import { productName } from '@/core/config/product-name'
import { PageMessage } from '@/core/ui/page-message'
import { sans } from './fonts'
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
  const linkStyle = 'cursor-pointer py-2 text-accent underline underline-offset-4'
  return (
    <html lang="en" className={sans.variable} suppressHydrationWarning>
      <body>
        <title>{`Something went wrong · ${productName}`}</title>
        <script async src="/theme.js" />
        <main>
          <PageMessage
            label="Error"
            title="Something went wrong on our side."
            actions={
              <>
                <button type="button" onClick={retry} className={linkStyle}>
                  Try again
                </button>
                <a href="/" className={linkStyle}>
                  Go to the home page
                </a>
              </>
            }
          >
            {error.digest && <p>{`Reference: ${error.digest}`}</p>}
          </PageMessage>
        </main>
      </body>
    </html>
  )
}
