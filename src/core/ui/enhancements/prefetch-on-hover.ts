import type { useRouter } from 'next/navigation'
import { linkAt, pageUrl } from './navigation-target'

type Router = ReturnType<typeof useRouter>
type Options = NonNullable<Parameters<Router['prefetch']>[1]>

/** A pointer that only passes over a link does not stay this long. */
const dwellMs = 65

/** The whole page, so that a click shows it at once. The router uses it for 30 seconds. */
const whole = { kind: 'full' } as Options

/** Returns a function that stops it. */
export function prefetchOnHover(router: Router): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const onPoint = (event: Event) => {
    clearTimeout(timer)
    const link = linkAt(event)
    const url = link && pageUrl(link)
    if (!url || isUnwanted()) return
    timer = setTimeout(() => router.prefetch(url.href, whole), dwellMs)
  }
  document.addEventListener('mouseover', onPoint)
  document.addEventListener('touchstart', onPoint, { passive: true })
  return () => {
    clearTimeout(timer)
    document.removeEventListener('mouseover', onPoint)
    document.removeEventListener('touchstart', onPoint)
  }
}

function isUnwanted(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  // The request would take the message that the next page shows.
  return connection?.saveData === true || document.cookie.includes('plinth.flash=')
}
