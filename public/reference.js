// The API reference at /api/docs. Swagger UI is served from this origin and calls no other.
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
    // Requests use the session cookie. A token entered under Authorize wins.
    withCredentials: true,
  })
})()
