export type Command = 'bold' | 'italic' | 'link' | 'heading' | 'list' | 'quote' | 'code'

export type Selection = { text: string; start: number; end: number }

/** Replaces the text from `start` to `end`, then selects a part of the result. */
export type Edit = {
  start: number
  end: number
  text: string
  select: [start: number, end: number]
}

/** The edit that a button of the toolbar makes. Used again, it takes the formatting away. */
export function formatText(command: Command, selection: Selection): Edit {
  switch (command) {
    case 'bold':
      return wrap(selection, '**')
    case 'italic':
      return wrap(selection, '_')
    case 'code':
      return selected(selection).includes('\n') ? fence(selection) : wrap(selection, '`')
    case 'link':
      return link(selection)
    case 'heading':
      return prefixLines(selection, '## ')
    case 'list':
      return prefixLines(selection, '- ')
    case 'quote':
      return prefixLines(selection, '> ')
  }
}

function selected({ text, start, end }: Selection): string {
  return text.slice(start, end)
}

function wrap(selection: Selection, mark: string): Edit {
  const { text, start, end } = selection
  const before = start - mark.length
  const isWrapped = text.slice(Math.max(before, 0), start) === mark && text.startsWith(mark, end)
  const content = selected(selection)
  if (isWrapped)
    return {
      start: before,
      end: end + mark.length,
      text: content,
      select: [before, before + content.length],
    }
  const from = start + mark.length
  return { start, end, text: mark + content + mark, select: [from, from + content.length] }
}

function fence(selection: Selection): Edit {
  const { start, end } = selection
  const text = `\`\`\`\n${selected(selection).replace(/\n$/, '')}\n\`\`\`\n`
  return { start, end, text, select: [start, start + text.length] }
}

function link(selection: Selection): Edit {
  const { start, end } = selection
  const content = selected(selection)
  if (/^https?:\/\/\S+$/.test(content))
    return { start, end, text: `[](${content})`, select: [start + 1, start + 1] }
  const url = start + content.length + 3
  return { start, end, text: `[${content}](https://)`, select: [url, url + 'https://'.length] }
}

/** Whole lines, whatever part of them is selected. */
function prefixLines({ text, start, end }: Selection, prefix: string): Edit {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const newline = text.indexOf('\n', end)
  const to = newline === -1 ? text.length : newline
  const lines = text.slice(from, to).split('\n')
  const isPrefixed = lines.every((line) => line.startsWith(prefix))
  const changed = lines.map((line) => {
    if (isPrefixed) return line.slice(prefix.length)
    return line.startsWith(prefix) ? line : prefix + line
  })
  const result = changed.join('\n')
  const caret = from + result.length
  const select: Edit['select'] = start === end ? [caret, caret] : [from, caret]
  return { start: from, end: to, text: result, select }
}
