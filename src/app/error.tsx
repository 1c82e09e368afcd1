'use client'

import { FailureMessage } from '@/core/ui/failure-message'

interface ErrorPageProps {
  error: Error & { digest?: string }
  retry: () => void
}

export default function ErrorPage({ error, retry }: ErrorPageProps) {
  return <FailureMessage reference={error.digest} onRetry={retry} />
}
