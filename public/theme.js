// Without async or defer: it runs before the first paint.
;(() => {
  if (customElements.get('theme-control')) return

  const storageKey = 'theme'
  const root = document.documentElement
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)')
  let choice = 'system'

  refresh()
  systemIsDark.addEventListener('change', apply)
  document.addEventListener('DOMContentLoaded', apply)
  document.addEventListener('change', chooseFromControl)
  addEventListener('storage', refresh)
  // The back/forward cache misses storage events.
  addEventListener('pageshow', refresh)
  // The preferences form sets the cookie without a page load.
  globalThis.cookieStore?.addEventListener('change', refresh)
  // After an error React replaces the document.
  new MutationObserver(apply).observe(root, { attributeFilter: ['data-theme'] })

  customElements.define(
    'theme-control',
    class extends HTMLElement {
      connectedCallback() {
        apply()
      }
    },
  )

  function apply() {
    const system = systemIsDark.matches ? 'dark' : 'light'
    const theme = choice === 'system' ? system : choice
    if (root.dataset.theme !== theme) root.dataset.theme = theme
    colorBrowser(theme)
    for (const input of document.querySelectorAll('theme-control input')) {
      input.checked = input.value === choice
    }
  }

  // The page's own tags follow the system; the first one wins.
  function colorBrowser(theme) {
    document.head.querySelector('meta[data-chosen]')?.remove()
    if (choice === 'system') return
    const meta = document.createElement('meta')
    meta.name = 'theme-color'
    meta.content = theme === 'dark' ? '#1d1c19' : '#ffffff'
    meta.dataset.chosen = ''
    document.head.prepend(meta)
  }

  function refresh() {
    choice = readStored()
    apply()
  }

  function chooseFromControl({ target }) {
    if (!target.closest('theme-control')) return
    choice = target.value
    store()
    apply()
    saveForUser()
  }

  // On the other devices of a user who is signed in: then the page can sign them out.
  function saveForUser() {
    const signOut = document.querySelector('form[action="/api/auth/signout"]')
    if (!signOut || signOut.closest('[hidden]')) return
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ theme: choice })
    fetch('/api/preferences', { method: 'PATCH', headers, body, keepalive: true }).catch(() => {})
  }

  // The server sets the cookie at sign-in. Storage may be blocked.
  function readStored() {
    try {
      const saved = /(?:^|; )theme=(system|light|dark)(?:;|$)/.exec(document.cookie)?.[1]
      if (saved) return saved
      const stored = localStorage.getItem(storageKey)
      return stored === 'light' || stored === 'dark' ? stored : 'system'
    } catch {
      return choice
    }
  }

  function store() {
    try {
      const secure = location.protocol === 'https:' ? '; Secure' : ''
      // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API.
      document.cookie = `theme=${choice}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`
      // Also tells the other tabs.
      if (choice === 'system') localStorage.removeItem(storageKey)
      else localStorage.setItem(storageKey, choice)
    } catch {}
  }
})()
