import { Brand } from './brand'
import { Button, ButtonLink } from './button'
import { PageMessage } from './page-message'

interface FailureMessageProps {
  reference: string | undefined
  onRetry: () => void
}

/**
 * Says that something failed, never what: the reference finds the details in the log. It has no
 * shell around it, because every page loads it in advance.
 */
export function FailureMessage({ reference, onRetry }: FailureMessageProps) {
  return (
    <>
      {/* After a failure on the server React builds the document anew, and a script that it puts
          there runs only when it is async. */}
      <script async src="/theme.js" />
      <header className="border-b border-line bg-surface">
        <div className="mx-auto flex h-16 max-w-6xl items-center px-5 sm:px-8">
          <Brand />
        </div>
      </header>
      <main>
        <PageMessage
          label="Error"
          title="Something went wrong on our side."
          actions={
            <>
              <Button onClick={onRetry}>Try again</Button>
              <ButtonLink href="/" variant="secondary">
                Go to the start
              </ButtonLink>
            </>
          }
        >
          {reference && (
            <p>
              Reference: <code className="font-mono text-sm text-ink">{reference}</code>
            </p>
          )}
        </PageMessage>
      </main>
    </>
  )
}
