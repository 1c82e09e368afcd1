// The API reference at /api/docs: filter, copy and try operations. Responses are shown as text only.
;(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)]
  const one = (selector, root = document) => root.querySelector(selector)

  const status = one('#reference-status')
  const maxCharacters = 100_000
  const shownHeaders = [
    'content-type',
    'content-disposition',
    'x-request-id',
    'retry-after',
    'ratelimit-limit',
    'ratelimit-remaining',
    'ratelimit-reset',
  ]
  let user

  for (const element of all('[data-copy], .reference-try, .reference-filter')) {
    element.hidden = false
  }
  one('#reference-filter').addEventListener('input', filter)
  document.addEventListener('click', onClick)
  document.addEventListener('submit', onSubmit)
  document.addEventListener('input', ({ target }) => unconfirm(target.closest('[data-path]')))
  // This event does not bubble.
  document.addEventListener('toggle', ({ target }) => showSignIn(target), true)
  refreshSession()

  function onClick({ target }) {
    if (target.closest('[data-copy]')) copy(target.closest('[data-copy]'))
    if (target.closest('[data-sign-out]')) signOut()
    // On small screens the list covers what it leads to.
    if (target.closest('.reference-narrow a')) target.closest('details').open = false
  }

  function onSubmit(event) {
    const form = event.target
    if (form.matches('.reference-sign-in')) signIn(form)
    else if (form.matches('[data-path]')) confirmAndSend(form)
    else return
    event.preventDefault()
  }

  // Filter

  function filter({ target }) {
    const words = target.value.toLowerCase().split(/\s+/).filter(Boolean)
    let shown = 0
    for (const operation of all('.reference-operation')) {
      const text = one('[data-search]', operation).textContent.toLowerCase()
      operation.hidden = !words.every((word) => text.includes(word))
      if (!operation.hidden) shown += 1
      for (const item of all('[data-for]')) {
        if (item.dataset.for === operation.id) item.hidden = operation.hidden
      }
    }
    for (const group of all('[data-group]')) {
      group.hidden = !one('article:not([hidden]), li:not([hidden])', group)
    }
    one('#reference-count').textContent = words.length === 0 ? '' : countOf(shown)
  }

  function countOf(shown) {
    if (shown === 0) return 'No operations match.'
    return shown === 1 ? '1 operation matches.' : `${shown} operations match.`
  }

  // Copy

  async function copy(button) {
    const code = one('pre', button.closest('figure'))
    try {
      await navigator.clipboard.writeText(code.textContent)
    } catch {
      // Only secure origins have a clipboard: select it for the keyboard instead.
      getSelection().selectAllChildren(code)
      status.textContent = 'Selected. Copy it with the keyboard.'
      return
    }
    button.textContent = 'Copied'
    status.textContent = 'Copied.'
    button.addEventListener('blur', () => {
      button.textContent = 'Copy'
    })
  }

  // Session

  async function refreshSession() {
    try {
      const response = await fetch('/api/auth/session')
      if (!response.ok) return
      user = (await response.json())?.user
    } catch {
      return
    }
    one('[data-anonymous]').hidden = Boolean(user)
    one('[data-user]').hidden = !user
    one('[data-sign-out]').hidden = !user
    one('[data-user-email]').textContent = user?.email ?? ''
    one('[data-user-role]').textContent = user?.role ?? ''
    for (const details of all('.reference-try[open]')) showSignIn(details)
  }

  function showSignIn(details) {
    const form = one('[data-session="true"]', details)
    if (!form) return
    const shown = one('.reference-sign-in', details)
    form.hidden = !user
    if (user) shown?.remove()
    else if (!shown) form.before(one('#reference-sign-in').content.cloneNode(true))
  }

  async function signIn(form) {
    const { email, password } = Object.fromEntries(new FormData(form))
    const error = one('[role=alert]', form)
    const details = form.closest('details')
    error.textContent = ''
    try {
      const response = await postJson('/api/auth/signin', { email, password, redirect: false })
      if (!response.ok) {
        error.textContent = (await response.json()).detail
        one('[name=password]', form).focus()
        return
      }
    } catch {
      error.textContent = 'The server did not respond. Try again.'
      return
    }
    await refreshSession()
    one('[data-path] :is(input, select, textarea, button)', details).focus()
  }

  async function signOut() {
    await postJson('/api/auth/signout', { redirect: false }).catch(() => {})
    await refreshSession()
    one('[data-anonymous]').focus()
  }

  function postJson(url, body) {
    const headers = { 'content-type': 'application/json' }
    return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  }

  // Try it

  /** A request that changes data needs a second click. */
  function confirmAndSend(form) {
    const button = one('button', form)
    if (form.dataset.changes === 'true' && !('confirmed' in form.dataset)) {
      form.dataset.confirmed = ''
      button.classList.add('button-danger')
      button.textContent = 'Changes data. Send anyway'
      status.textContent = 'This request changes data. Send it again to confirm.'
      return
    }
    unconfirm(form)
    send(form, button)
  }

  function unconfirm(form) {
    if (!form || !('confirmed' in form.dataset)) return
    delete form.dataset.confirmed
    const button = one('button', form)
    button.classList.remove('button-danger')
    button.textContent = 'Send request'
  }

  async function send(form, button) {
    const output = one('[data-response]', form.closest('details'))
    const { url, options } = requestOf(form)
    const start = performance.now()
    button.setAttribute('aria-busy', 'true')
    try {
      const response = await fetch(url, options)
      const text = await response.text()
      show(output, url, response, text, Math.round(performance.now() - start))
    } catch {
      output.replaceChildren(element('p', 'The request failed: the server did not respond.'))
    }
    button.removeAttribute('aria-busy')
    // The request may have started or ended a session.
    if (form.dataset.changes === 'true') refreshSession()
  }

  function requestOf(form) {
    const query = new URLSearchParams()
    let path = form.dataset.path
    for (const { dataset, name, value } of all('[data-in]', form)) {
      if (dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value))
      if (dataset.in === 'query' && value !== '') query.set(name, value)
    }
    const body = one('[data-in=body]', form)?.value
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    // A redirect would be followed to an HTML page, or to another origin.
    const options = { method: form.dataset.method, headers, body: body || undefined }
    return {
      url: query.size > 0 ? `${path}?${query}` : path,
      options: { ...options, redirect: 'manual' },
    }
  }

  function show(output, url, response, text, milliseconds) {
    const isRedirect = response.type === 'opaqueredirect'
    const line = element('p', isRedirect ? 'Redirect' : `${response.status} ${response.statusText}`)
    line.className = response.ok ? 'reference-ok' : 'reference-failed'
    const headers = shownHeaders.flatMap((name) =>
      response.headers.has(name) ? [`${name}: ${response.headers.get(name)}`] : [],
    )
    const note = isRedirect ? 'Browsers do not show scripts where a redirect leads.' : pretty(text)
    output.replaceChildren(
      element('p', `${url}, ${milliseconds} ms`),
      line,
      ...(headers.length > 0 ? [element('pre', headers.join('\n'))] : []),
      ...(note === '' ? [] : [element('pre', note)]),
    )
    status.textContent = `Response: ${line.textContent}`
  }

  function pretty(text) {
    const short = text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text
    try {
      return JSON.stringify(JSON.parse(short), null, 2)
    } catch {
      return short
    }
  }

  /** Never HTML: a response may contain anything. */
  function element(name, text) {
    const created = document.createElement(name)
    created.textContent = text
    return created
  }
})()
