'use client'

import type { ComponentProps } from 'react'
import { Brand } from './brand'
import { Button, ButtonLink } from './button'
import { PageMessage } from './page-message'

type MessagePageProps = Omit<ComponentProps<typeof PageMessage>, 'actions'> &
  Partial<Pick<ComponentProps<typeof PageMessage>, 'actions'>>

/**
 * What stands in for a page: not found, not allowed, failed. Next sends all of these along with
 * every page, in case one is needed. So they have no shell around them, and are client components
 * in one file: of each only its words are sent, and the file once.
 */
export function MessagePage({
  actions = <ButtonLink href="/">Go to the start</ButtonLink>,
  ...props
}: MessagePageProps) {
  return (
    <>
      <header className="border-b border-line bg-surface">
        <div className="mx-auto flex h-16 max-w-6xl items-center px-5 sm:px-8">
          <a href="/" className="-m-1 flex min-w-0 rounded-sm p-1">
            <Brand />
          </a>
        </div>
      </header>
      <main>
        <PageMessage actions={actions} {...props} />
      </main>
    </>
  )
}

interface FailurePageProps {
  error: Error & { digest?: string }
  retry: () => void
}

/** Says that something failed, never what: the reference finds the details in the log. */
export function FailurePage({ error: { digest }, retry }: FailurePageProps) {
  return (
    <>
      {/* After a failure on the server React builds the document anew, and a script that it puts
          there runs only when it is async. */}
      <script async src="/theme.js" />
      <MessagePage
        label="Error"
        title="Something went wrong on our side."
        actions={
          <>
            <Button onClick={retry}>Try again</Button>
            <ButtonLink href="/" variant="secondary">
              Go to the start
            </ButtonLink>
          </>
        }
      >
        {digest && (
          <p>
            Reference: <code className="font-mono text-sm text-ink">{digest}</code>
          </p>
        )}
      </MessagePage>
    </>
  )
}
