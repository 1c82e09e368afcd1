// Loaded in <head> without async or defer: the theme must be set before the first paint, and the
// Content-Security-Policy blocks inline scripts. It does not depend on React.
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
  // A page restored from the back/forward cache has missed storage events.
  addEventListener('pageshow', refresh)
  // React removes unknown attributes when it replaces the whole document after an error.
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

  // If storage is blocked, the choice lasts until the page is closed.
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
