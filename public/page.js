;(() => {
  // After an error React inserts it again.
  if (customElements.get('user-slot')) return

  // Closes the menu when a link in it is followed, also one within the page.
  document.addEventListener('click', ({ target }) => {
    target.closest('[popover] a')?.closest('[popover]').hidePopover()
  })

  // Rewrites times in the user's time zone and language, also of elements that are added later.
  {
    const formats = {
      day: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }),
      minute: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
    }
    const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })

    const localize = () => {
      for (const element of document.querySelectorAll('time[data-local]')) {
        const at = new Date(element.dateTime)
        const text = formats[element.dataset.local].format(at)
        if (element.textContent === text) continue
        element.textContent = text
        element.title = exact.format(at)
      }
    }

    localize()
    new MutationObserver(localize).observe(document.documentElement, {
      childList: true,
      subtree: true,
    })
  }

  // Shows the user on prerendered pages.
  customElements.define(
    'user-slot',
    class extends HTMLElement {
      async connectedCallback() {
        const user = await signedInUser()
        if (!user) return
        const fields = { ...user, initial: [...user.name][0]?.toUpperCase() }
        for (const element of this.querySelectorAll('[data-user]')) {
          element.textContent = fields[element.dataset.user]
        }
        for (const part of this.querySelectorAll('[data-signed-in]')) {
          part.hidden = part.dataset.signedIn === 'no'
        }
      }
    },
  )

  async function signedInUser() {
    try {
      const response = await fetch('/api/auth/session')
      return response.ok ? (await response.json())?.user : undefined
    } catch {}
  }
})()
