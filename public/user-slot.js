// Shows the user on prerendered pages.
;(() => {
  if (customElements.get('user-slot')) return

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
