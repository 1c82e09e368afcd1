/** Names of this app's origin do not matter: every other origin is foreign. */
const base = new URL('https://this-app.invalid/articles/')

/**
 * Plain paths only. The browser requests an image with the reader's cookie, so an image must not
 * request the API or a page that redirects to it, however it is spelled.
 */
const imageFile = /^(?!\/api\/)(\/[\w-][\w.-]*)+\.(png|jpe?g|gif|webp|avif|svg)$/i

/** The Content-Security-Policy blocks images of other origins: they become links that say so. */
export function addImages(converter) {
  converter.core.ruler.push('images', ({ tokens, Token }) => {
    for (const token of tokens) {
      if (token.children) token.children = replaceForeignImages(token.children, Token)
    }
  })
}

function replaceForeignImages(tokens, Token) {
  let depth = 0
  return tokens.flatMap((token) => {
    if (token.type === 'link_open') depth += 1
    if (token.type === 'link_close') depth -= 1
    if (token.type !== 'image') return token
    const source = token.attrGet('src')
    const path = imagePath(source)
    if (path) {
      token.attrSet('src', path)
      return token
    }
    const isExternal = resolve(source)?.origin !== base.origin
    const reason = textOf(`Image not shown${isExternal ? ' (external)' : ''}: `, Token)
    const name = textOf(token.content || source, Token)
    return depth > 0 ? [reason, name] : [reason, ...linkTo(source, name, Token)]
  })
}

function linkTo(url, text, Token) {
  const open = new Token('link_open', 'a', 1)
  open.attrSet('href', url)
  return [open, text, new Token('link_close', 'a', -1)]
}

function textOf(content, Token) {
  return Object.assign(new Token('text', '', 0), { content })
}

function imagePath(source) {
  const url = resolve(source)
  if (url?.origin !== base.origin || url.search !== '') return undefined
  return imageFile.test(url.pathname) ? url.pathname : undefined
}

export function resolve(url) {
  return URL.canParse(url, base) ? new URL(url, base) : undefined
}
