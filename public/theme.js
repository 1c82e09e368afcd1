// Loaded in <head> without async or defer: the theme must stand before the first paint, and the
// Content-Security-Policy allows no inline script. Everything here works without React.
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
  // A page taken from the back/forward cache has missed the storage events.
  addEventListener('pageshow', refresh)
  // React drops attributes it does not know when it replaces the whole document after an error.
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
    choice = remembered()
    apply()
  }

  function chooseFromControl({ target }) {
    if (!target.closest('theme-control')) return
    choice = target.value
    remember()
    apply()
  }

  // Storage may be blocked: then the choice lasts as long as the page.
  function remembered() {
    try {
      const stored = localStorage.getItem(storageKey)
      return stored === 'light' || stored === 'dark' ? stored : 'system'
    } catch {
      return choice
    }
  }

  function remember() {
    try {
      if (choice === 'system') localStorage.removeItem(storageKey)
      else localStorage.setItem(storageKey, choice)
    } catch {}
  }
})()
