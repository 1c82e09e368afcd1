const empty = new Set(['br', 'hr', 'img', 'input', 'link', 'meta'])
const names = { class: 'className', for: 'htmlFor', tabindex: 'tabIndex', readonly: 'readOnly' }
const piece =
  /<!--.*?-->|<script\b.*?<\/script>|<\/([\w-]+)>|<([\w-]+)((?:\s[^<>]*?)?)(\/?)>|([^<]+)/gs

/**
 * The elements of a page's body as `[tag, attributes, ...children]`, for another page to show: no
 * scripts, no comments, no inline styles. It reads what React writes, not any HTML.
 */
export function elementsOf(html) {
  const body = /<body[^>]*>(.*)<\/body>/s.exec(html)?.[1] ?? ''
  const root = ['body', {}]
  const open = [root]
  for (const [, closed, tag, attributes, closesItself, text] of body.matchAll(piece)) {
    if (closed) {
      if (open.length > 1 && open.at(-1)[0] === closed) open.pop()
    } else if (tag) {
      const element = [tag, attributesOf(attributes)]
      open.at(-1).push(element)
      if (!closesItself && !empty.has(tag)) open.push(element)
    } else if (text) open.at(-1).push(unescaped(text))
  }
  return root.slice(2)
}

function attributesOf(text) {
  const attributes = text.matchAll(/([\w:-]+)="([^"]*)"/g)
  return Object.fromEntries(
    [...attributes]
      .filter(([, name]) => name !== 'style' && name !== 'ref')
      .map(([, name, value]) => [names[name] ?? name, value === '' ? true : unescaped(value)]),
  )
}

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

function unescaped(text) {
  return text.replaceAll(/&(amp|lt|gt|quot|#x27);/g, (_, name) => entities[name])
}
