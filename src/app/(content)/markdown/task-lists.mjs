const mark = /^\[([ xX])\]\s+/

/** `- [x] text` becomes an item with a checkbox that shows its state. */
export function addTaskLists(converter) {
  converter.core.ruler.after('inline', 'task_lists', ({ tokens, Token }) => {
    for (const [index, item] of tokens.entries()) {
      if (item.type === 'list_item_open') addCheckbox(item, tokens[index + 2], Token)
    }
  })
}

function addCheckbox(item, inline, Token) {
  const [first] = inline?.type === 'inline' ? inline.children : []
  const [matched, state] = (first?.type === 'text' && mark.exec(first.content)) || []
  if (!matched) return
  first.content = first.content.slice(matched.length)
  const checkbox = new Token('task_checkbox', 'input', 0)
  const checked = state !== ' '
  checkbox.attrs = [
    ['type', 'checkbox'],
    ['disabled', ''],
    ...(checked ? [['checked', '']] : []),
    ['aria-label', checked ? 'Done' : 'To do'],
  ]
  inline.children.unshift(checkbox)
  item.attrSet('class', 'task')
}
