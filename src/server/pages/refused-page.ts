import { errorPage, type SendPage } from '@/server/pages/error-page'

/**
 * The page to send instead of one that `load` or its policy refused, or undefined. Next would send
 * it without markup and with the title of the refused page. Its router loads the document instead.
 */
export function refusedPages(policyFor: (path: string) => string) {
  const pages: Record<string, SendPage> = {
    'NEXT_HTTP_ERROR_FALLBACK;403': errorPage({ path: '/access-denied', status: 403 }, policyFor),
    'NEXT_HTTP_ERROR_FALLBACK;404': errorPage({ path: '/_not-found', status: 404 }, policyFor),
  }
  return (error: unknown): SendPage | undefined =>
    pages[String((error as { digest?: unknown } | undefined)?.digest)]
}
