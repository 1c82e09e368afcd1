// Without async or defer: it runs before the first paint.
;(() => {
  if (customElements.get('theme-control')) return

  const root = document.documentElement
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)')
  const color = document.createElement('meta')
  color.name = 'theme-color'
  let choice

  refresh()
  systemIsDark.addEventListener('change', apply)
  document.addEventListener('DOMContentLoaded', apply)
  document.addEventListener('change', chooseFromControl)
  // Chosen in another tab, or saved in the preferences.
  window.cookieStore?.addEventListener('change', refresh)
  // The back/forward cache misses events.
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
    color.content = theme === 'dark' ? '#1d1c19' : '#ffffff'
    // Before the page's own, which follow the system: browsers take the first.
    if (choice === 'system') color.remove()
    else document.head.prepend(color)
    for (const input of document.querySelectorAll('theme-control input')) {
      input.checked = input.value === choice
    }
  }

  // A sign-in sets the cookie for a user who has saved a theme.
  function refresh() {
    choice = /\btheme=(light|dark)/.exec(document.cookie)?.[1] ?? 'system'
    apply()
  }

  function chooseFromControl({ target }) {
    if (!target.closest('theme-control')) return
    choice = target.value
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has cookieStore.
    document.cookie = `theme=${choice};Path=/;Max-Age=31536000;SameSite=Lax`
    apply()
    import('./save-theme.js').then(({ save }) => save(choice))
  }
})()
