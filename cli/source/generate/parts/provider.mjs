/** The entry of src/plinth.config.ts. Its paths are common ones, to be changed. */
export function providerEntry({ id, name, home, isOAuth }) {
  if (!isOAuth) return `{ id: '${id}', name: '${name}', issuer: '${home}' }`
  return `{
      id: '${id}',
      name: '${name}',
      url: '${home}',
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      userinfo: '/api/user',
      scope: 'email profile',
      profile: { id: 'id', name: ['name', 'username'], email: 'email', verified: 'email_verified' },
    }`
}

const start = '\n  providers: ['

/** The source with one more provider, or undefined where it has no list of them. */
export function withProvider(source, model) {
  const index = source.indexOf(start)
  if (index < 0) return undefined
  const [listed, end] = splitAtEnd(source.slice(index + start.length))
  const entries = listed.trim().replace(/,$/, '')
  const list = [...(entries ? [entries] : []), providerEntry(model)].join(', ')
  return source.slice(0, index) + start + list + end
}

/** At the bracket that closes the list. */
function splitAtEnd(text) {
  let depth = 1
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '[') depth += 1
    if (text[index] === ']') depth -= 1
    if (depth === 0) return [text.slice(0, index), text.slice(index)]
  }
  return [text, ']']
}

/** The paragraph of .env.example. */
export function settingsText({ name, isOAuth, settings }) {
  const other = isOAuth
    ? '# Set the URL for another server with the same endpoints.'
    : '# Set the issuer for another OpenID Connect server.'
  return [
    `# Sign-in with ${name} requires the id and the secret.`,
    other,
    ...Object.values(settings).map((setting) => `# ${setting}=`),
  ].join('\n')
}
