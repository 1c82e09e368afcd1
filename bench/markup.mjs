const voidElements = new Set(['br', 'hr', 'img', 'input', 'link', 'meta'])
const reactNames = {
  class: 'className',
  for: 'htmlFor',
  tabindex: 'tabIndex',
  readonly: 'readOnly',
}
const token =
  /<!--.*?-->|<script\b.*?<\/script>|<\/([\w-]+)>|<([\w-]+)((?:\s[^<>]*?)?)(\/?)>|([^<]+)/gs

/**
 * The elements of a page's body as `[tag, attributes, ...children]` without scripts, comments and
 * inline styles, for another page to render. Parses the HTML that React writes, not any HTML.
 */
export function elementsOf(html) {
  const body = /<body[^>]*>(.*)<\/body>/s.exec(html)?.[1] ?? ''
  const root = ['body', {}]
  const open = [root]
  for (const [, closed, tag, attributes, selfClosing, text] of body.matchAll(token)) {
    if (closed) {
      if (open.length > 1 && open.at(-1)[0] === closed) open.pop()
    } else if (tag) {
      const element = [tag, attributesOf(attributes)]
      open.at(-1).push(element)
      if (!selfClosing && !voidElements.has(tag)) open.push(element)
    } else if (text) open.at(-1).push(unescapeEntities(text))
  }
  return root.slice(2)
}

function attributesOf(text) {
  const attributes = text.matchAll(/([\w:-]+)="([^"]*)"/g)
  return Object.fromEntries(
    [...attributes]
      .filter(([, name]) => name !== 'style' && name !== 'ref')
      .map(([, name, value]) => [
        reactNames[name] ?? name,
        value === '' ? true : unescapeEntities(value),
      ]),
  )
}

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

function unescapeEntities(text) {
  return text.replaceAll(/&(amp|lt|gt|quot|#x27);/g, (_, name) => entities[name])
}
