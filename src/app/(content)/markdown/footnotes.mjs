import footnote from 'markdown-it-footnote'

/** `[^name]` refers to `[^name]: text`. The notes are listed at the end, numbered by reference. */
export function addFootnotes(converter) {
  converter.use(footnote)
  // `^[text]` stays text: articles have used it so.
  converter.inline.ruler.disable('footnote_inline')
  Object.assign(converter.renderer.rules, {
    footnote_block_open: () => '<section aria-label="Footnotes"><ol>\n',
    footnote_block_close: () => '</ol></section>\n',
    footnote_open: (tokens, index) => `<li id="footnote-${numberOf(tokens[index])}" dir="auto">`,
    footnote_close: () => '</li>\n',
    footnote_ref: (tokens, index, _options, _env, renderer) => {
      const number = numberOf(tokens[index])
      const attributes = {
        href: `#footnote-${number}`,
        id: referenceId(tokens[index]),
        'aria-label': `Footnote ${number}`,
      }
      return `<sup>${link(tokens[index], attributes, number, renderer)}</sup>`
    },
    footnote_anchor: (tokens, index, _options, env, renderer) => {
      const { id, subId } = tokens[index].meta
      const place = env.footnotes.list[id].count > 1 ? `, place ${subId + 1}` : ''
      const attributes = {
        href: `#${referenceId(tokens[index])}`,
        'aria-label': `Back to the text of footnote ${numberOf(tokens[index])}${place}`,
      }
      return ` ${link(tokens[index], attributes, '↩', renderer)}`
    },
  })
}

function numberOf({ meta }) {
  return meta.id + 1
}

function referenceId({ meta }) {
  const occurrence = meta.subId > 0 ? `-${meta.subId + 1}` : ''
  return `footnote-${meta.id + 1}-reference${occurrence}`
}

/** The renderer writes the attributes and counts the length: a short reference becomes a long link. */
function link(token, attributes, text, renderer) {
  token.attrs = Object.entries(attributes)
  return `<a${renderer.renderAttrs(token)}>${text}</a>`
}
