// Fills in who is signed in on pages that are the same for everybody. Without it, or while the
// database is away, such a page shows the link to sign in.
if (!customElements.get('person-slot')) {
  customElements.define(
    'person-slot',
    class extends HTMLElement {
      async connectedCallback() {
        const user = await signedInUser()
        if (!user) return
        const facts = { ...user, initial: [...user.name][0]?.toUpperCase() }
        for (const place of this.querySelectorAll('[data-person]')) {
          place.textContent = facts[place.dataset.person]
        }
        for (const part of this.querySelectorAll('[data-signed-in]')) {
          part.hidden = part.dataset.signedIn === 'no'
        }
      }
    },
  )
}

async function signedInUser() {
  try {
    const response = await fetch('/api/auth/session')
    return response.ok ? (await response.json())?.user : undefined
  } catch {}
}
