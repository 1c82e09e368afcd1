/** With the user, if one is signed in: then the page can sign them out. */
export function save(theme) {
  const signOut = document.querySelector('[action="/api/auth/signout"]')
  if (!signOut || signOut.closest('[hidden]')) return
  fetch('/api/preferences', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ theme }),
    keepalive: true,
  })
}
