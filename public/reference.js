// The interactive reference at /api/docs. The library comes from our own origin and asks no other.
;(() => {
  const root = document.documentElement
  const followTheme = () => root.classList.toggle('dark-mode', root.dataset.theme === 'dark')
  followTheme()
  new MutationObserver(followTheme).observe(root, { attributeFilter: ['data-theme'] })

  window.SwaggerUIBundle({
    url: '/api/openapi.json',
    dom_id: '#reference',
    deepLinking: true,
    validatorUrl: null,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    // Whoever is signed in here is so in the reference too; a token under Authorize wins.
    withCredentials: true,
  })
})()
