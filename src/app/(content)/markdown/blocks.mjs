/** How headings, tables and code appear below the title of an article, in any direction of text. */
export function addBlocks(converter) {
  converter.core.ruler.push('blocks', ({ tokens }) => {
    const counts = { Table: 0, Code: 0 }
    for (const token of tokens) {
      if (token.tag.match(/^h[1-6]$/)) token.tag = lowerHeading(token.tag)
      if (token.level === 0 && directed.has(token.type)) token.attrSet('dir', 'auto')
      if (token.type === 'table_open') label(token, 'Table', counts)
      if (token.type === 'inline') markBareUrls(token.children)
      if (token.type === 'fence' || token.type === 'code_block') label(token, 'Code', counts)
    }
  })
  const { rules } = converter.renderer
  rules.table_open = (tokens, index, options, _env, renderer) =>
    `<div class="table-scroll"${scrolling(tokens[index])}>\n${renderer.renderToken(tokens, index, options)}`
  rules.table_close = () => '</table>\n</div>\n'
  for (const name of ['fence', 'code_block']) {
    const render = rules[name]
    rules[name] = (tokens, index, ...rest) =>
      render(tokens, index, ...rest).replace('<pre>', `<pre${scrolling(tokens[index])} dir="ltr">`)
  }
}

/** The title of the article is the only h1. */
function lowerHeading(tag) {
  return `h${Math.min(Number(tag[1]) + 1, 6)}`
}

/** The outermost block decides for all of its content. */
const directed = new Set([
  'paragraph_open',
  'heading_open',
  'bullet_list_open',
  'ordered_list_open',
  'blockquote_open',
  'table_open',
])

/** In print, the URL of every other link follows it. */
function markBareUrls(tokens) {
  for (const token of tokens) {
    const isBare = token.type === 'link_open' && token.info === 'auto'
    if (isBare) token.attrSet('class', 'bare-url')
  }
}

function label(token, kind, counts) {
  counts[kind] += 1
  token.meta = { label: `${kind} ${counts[kind]}` }
}

/** Keyboards scroll only what has the focus, and what has the focus needs a name of its own. */
function scrolling({ meta }) {
  return ` tabindex="0" role="region" aria-label="${meta.label}"`
}
