const definition = /^\[\^([^\]\s]{1,100})\]:/
const reference = /\[\^([^\]\s]{1,100})\]/y

/** `[^name]` refers to `[^name]: text`. The notes are listed at the end, numbered by reference. */
export function addFootnotes(converter) {
  converter.block.ruler.before('reference', 'footnote', readDefinition, {
    alt: ['paragraph', 'reference'],
  })
  converter.inline.ruler.before('link', 'footnote_reference', readReference)
  converter.core.ruler.after('inline', 'footnotes', appendNotes)
  Object.assign(converter.renderer.rules, {
    footnote_reference: (tokens, index, _options, _env, renderer) =>
      `<sup><a${renderer.renderAttrs(tokens[index])}>${tokens[index].content}</a></sup>`,
    footnote_return: (tokens, index, _options, _env, renderer) =>
      ` <a${renderer.renderAttrs(tokens[index])}>↩</a>`,
  })
}

/** At the top level only, so that notes are not nested without a limit. */
function readDefinition(state, startLine, endLine, silent) {
  if (state.level > 0 || state.env.inFootnote || state.sCount[startLine] >= 4) return false
  const [matched, name] = definition.exec(lineOf(state, startLine)) ?? []
  if (!matched) return false
  if (silent) return true
  const nextLine = endOfDefinition(state, startLine, endLine)
  const rest = state.getLines(startLine + 1, nextLine, 4, false)
  const text = `${lineOf(state, startLine).slice(matched.length).trimStart()}\n${rest}`
  state.env.footnotes ??= new Map()
  const notes = state.env.footnotes
  if (!notes.has(name)) notes.set(name, parseNote(state, text))
  state.line = nextLine
  return true
}

/** Indented lines belong to the note, and so do lines that continue its paragraph. */
function endOfDefinition(state, startLine, endLine) {
  const terminators = state.md.block.ruler.getRules('paragraph')
  let end = startLine + 1
  for (let line = end; line < endLine; line += 1) {
    if (state.isEmpty(line)) continue
    const isIndented = state.sCount[line] >= 4
    const continues =
      line === end && !terminators.some((starts) => starts(state, line, endLine, true))
    if (!isIndented && !continues) break
    end = line + 1
  }
  return end
}

function parseNote({ md, env }, text) {
  const tokens = []
  env.inFootnote = true
  md.block.parse(text, md, env, tokens)
  env.inFootnote = false
  return { tokens, number: 0, references: 0 }
}

function readReference(state, silent) {
  reference.lastIndex = state.pos
  const [matched, name] = reference.exec(state.src) ?? []
  // A link cannot contain another one.
  if (!matched || state.linkLevel > 0 || !state.env.footnotes?.has(name)) return false
  if (!silent) state.push('footnote_reference', 'a', 0).meta = { name }
  state.pos += matched.length
  return true
}

function appendNotes({ tokens, env, Token, md }) {
  const used = []
  numberReferences(tokens, env.footnotes, used)
  if (used.length === 0) return
  const list = []
  // Grows while a note refers to another one.
  for (const note of used) {
    for (const token of note.tokens) {
      if (token.type === 'inline') md.inline.parse(token.content, md, env, token.children)
    }
    numberReferences(note.tokens, env.footnotes, used)
  }
  for (const note of used) list.push(...listItem(note, Token))
  const section = element(Token, 'footnotes', 'section', [['aria-label', 'Footnotes']])
  const items = element(Token, 'footnote_list', 'ol', [])
  tokens.push(section.open, items.open, ...list, items.close, section.close)
}

function numberReferences(tokens, notes, used) {
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type !== 'footnote_reference') continue
    const note = notes.get(token.meta.name)
    if (note.number === 0) note.number = used.push(note)
    note.references += 1
    token.content = String(note.number)
    token.attrs = [
      ['href', `#footnote-${note.number}`],
      ['id', referenceId(note.number, note.references)],
      ['aria-label', `Footnote ${note.number}`],
    ]
  }
}

function referenceId(number, occurrence) {
  return `footnote-${number}-reference${occurrence > 1 ? `-${occurrence}` : ''}`
}

/** With links back, in the last paragraph if there is one. */
function listItem({ tokens, number, references }, Token) {
  const item = element(Token, 'list_item', 'li', [
    ['id', `footnote-${number}`],
    ['dir', 'auto'],
  ])
  const links = Array.from({ length: references }, (_, index) => {
    const link = new Token('footnote_return', 'a', 0)
    const which = references > 1 ? `, place ${index + 1}` : ''
    link.attrs = [
      ['href', `#${referenceId(number, index + 1)}`],
      ['aria-label', `Back to the text of footnote ${number}${which}`],
    ]
    return link
  })
  const last = tokens.at(-1)?.type === 'paragraph_close' ? tokens.at(-2) : undefined
  last?.children.push(...links)
  for (const token of tokens) token.level += 3
  return [item.open, ...tokens, ...(last ? [] : links), item.close]
}

function element(Token, name, tag, attributes) {
  const [open, close] = [new Token(`${name}_open`, tag, 1), new Token(`${name}_close`, tag, -1)]
  Object.assign(open, { block: true, attrs: attributes })
  close.block = true
  return { open, close }
}

function lineOf(state, line) {
  return state.src.slice(state.bMarks[line] + state.tShift[line], state.eMarks[line])
}
