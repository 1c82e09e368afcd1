import { type Command, formatText } from './format-text'

/** As if it was typed, so that the browser's undo takes it back. */
export function insert(textarea: HTMLTextAreaElement, command: Command): void {
  const { value, selectionStart, selectionEnd } = textarea
  const edit = formatText(command, { text: value, start: selectionStart, end: selectionEnd })
  textarea.focus()
  textarea.setSelectionRange(edit.start, edit.end)
  // Deprecated, but nothing else keeps the undo history.
  const inserted = document.execCommand('insertText', false, edit.text)
  if (!inserted) {
    textarea.setRangeText(edit.text)
    textarea.dispatchEvent(new Event('input', { bubbles: true }))
  }
  textarea.setSelectionRange(...edit.select)
}
