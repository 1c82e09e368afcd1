/** The page that a click opens in this tab. Undefined if the browser should handle it. */
export function openedUrl(event: MouseEvent): URL | undefined {
  const { button, metaKey, ctrlKey, shiftKey, altKey } = event
  if (event.defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
  const link = linkAt(event)
  return link && pageUrl(link)
}

export function linkAt({ target }: Event): HTMLAnchorElement | undefined {
  return (target as Element | null)?.closest?.<HTMLAnchorElement>('a[href]') ?? undefined
}

export function pageUrl(link: HTMLAnchorElement): URL | undefined {
  if (link.hasAttribute('download') || !isThisTab(link.target)) return
  const url = new URL(link.href)
  // The browser scrolls to it.
  const isWithinPage = url.hash && url.pathname + url.search === location.pathname + location.search
  return isPage(url) && !isWithinPage ? url : undefined
}

/** The page that a GET form requests. Empty fields are left out of the URL. */
export function submittedUrl(event: SubmitEvent): URL | undefined {
  const form = event.target as HTMLFormElement
  if (event.defaultPrevented || form.method !== 'get' || !isThisTab(form.target)) return
  // A field may have the name of a property.
  const url = new URL(form.getAttribute('action') ?? '', location.href)
  const fields = [...new FormData(form, event.submitter)].filter(([, value]) => value !== '')
  url.search = new URLSearchParams(fields as [string, string][]).toString()
  url.hash = ''
  return isPage(url) ? url : undefined
}

function isThisTab(target: string): boolean {
  return target === '' || target === '_self'
}

function isPage({ origin, pathname }: URL): boolean {
  return origin === location.origin && !pathname.startsWith('/api/')
}
