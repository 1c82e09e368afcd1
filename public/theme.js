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
    for (const input of document.querySelectorAll('theme-control input')) {
      input.checked = input.value === choice
    }
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
  }

  // Storage may be blocked.
  function readStored() {
    try {
      const stored = localStorage.getItem(storageKey)
      return stored === 'light' || stored === 'dark' ? stored : 'system'
    } catch {
      return choice
    }
  }

  function store() {
    try {
      if (choice === 'system') localStorage.removeItem(storageKey)
      else localStorage.setItem(storageKey, choice)
    } catch {}
  }
})()
