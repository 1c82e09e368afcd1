import { Button, ButtonLink } from './button'
import { PageMessage } from './page-message'

interface FailureMessageProps {
  reference: string | undefined
  onRetry: () => void
}

/** Says that something failed, never what: the reference finds the details in the log. */
export function FailureMessage({ reference, onRetry }: FailureMessageProps) {
  return (
    <PageMessage
      label="Error"
      title="Something went wrong on our side"
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
  )
}
