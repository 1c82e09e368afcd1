/**
 * The items of a list in brackets, split at the commas outside of nested brackets and strings.
 *
 * @param {string} text
 * @param {number} start the index of the opening bracket
 * @returns {string[]}
 */
export function splitList(text, start) {
  const items = ['']
  let depth = 0
  for (const [token] of text.slice(start).matchAll(tokens)) {
    if (')]}'.includes(token)) depth -= 1
    if (depth === 0 && ')]}'.includes(token)) break
    if (depth === 1 && token === ',') items.push('')
    else if (depth > 0) items[items.length - 1] += token
    if ('([{'.includes(token)) depth += 1
  }
  return items.map((item) => item.trim()).filter(Boolean)
}

const tokens = /'(?:\\.|''|[^'\\])*'|"[^"]*"|`(?:\\.|[^`\\])*`|[^'"`]/g
