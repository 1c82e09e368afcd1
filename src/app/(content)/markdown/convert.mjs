import markdownIt from 'markdown-it'

/** An ordinary text of 50,000 characters needs a few thousand; `![` repeated 25,000 times, ten million. */
const maxWork = 1_000_000

/** Names of this app's origin do not matter: every other origin is foreign. */
const base = new URL('https://this-app.invalid/articles/')

const linkProtocols = ['http:', 'https:', 'mailto:', 'tel:']

/**
 * Plain paths only. The browser requests an image with the reader's cookie, so an image must not
 * request the API or a page that redirects to it, however it is spelled.
 */
const imageFile = /^(?!\/api\/)(\/[\w-][\w.-]*)+\.(png|jpe?g|gif|webp|avif|svg)$/i

// Prevents XSS together with the allowlist of protocols: HTML in the text is escaped.
const converter = markdownIt({ html: false, linkify: true, typographer: true })
let work = 0

/** Throws if the text is too costly. */
export function convertToHtml(text) {
  work = 0
  return converter.render(text)
}

converter.validateLink = (url) => linkProtocols.includes(resolve(url)?.protocol)

converter.core.ruler.push('images', ({ tokens, Token }) => {
  for (const token of tokens) {
    if (token.children) token.children = replaceForeignImages(token.children, Token)
  }
})

/** The Content-Security-Policy blocks images of other origins, so they become links. */
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
    const text = new Token('text', '', 0)
    text.content = token.content || source
    return depth > 0 ? text : linkTo(source, text, Token)
  })
}

function linkTo(url, text, Token) {
  const open = new Token('link_open', 'a', 1)
  open.attrSet('href', url)
  return [open, text, new Token('link_close', 'a', -1)]
}

function imagePath(source) {
  const url = resolve(source)
  if (url?.origin !== base.origin || url.search !== '') return undefined
  return imageFile.test(url.pathname) ? url.pathname : undefined
}

function resolve(url) {
  return URL.canParse(url, base) ? new URL(url, base) : undefined
}

// Each unclosed bracket reads the rest of its paragraph again.
const { skipToken } = converter.inline
converter.inline.skipToken = function countWork(state) {
  spend(1)
  return skipToken.call(this, state)
}

// A long URL that is defined once can be used thousands of times.
const { renderAttrs } = converter.renderer
converter.renderer.renderAttrs = function countLength(token) {
  const attributes = renderAttrs.call(this, token)
  spend(attributes.length)
  return attributes
}

function spend(units) {
  work += units
  if (work > maxWork) throw new Error('too costly')
}
