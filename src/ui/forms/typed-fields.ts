import { escapeHtml } from 'plinth/universal/html'
import { labelOf, rowsOf } from './field-label'

type TypedField = { name: string; text: string }

/** The fields of a form that was not sent, as HTML, for error pages: they are not rendered again. */
export function typedFields(fields: readonly TypedField[]): string {
  const list = fields.map(({ name, text }, index) => {
    const id = `typed-${index}`
    const label = `<label for="${id}">${escapeHtml(labelOf(name))}</label>`
    const attributes = `id="${id}" class="control" rows="${rowsOf(text)}" dir="auto" readonly`
    // The line break is not part of the text: without it, one at the start of the text would be lost.
    const field = `<textarea ${attributes}>\n${escapeHtml(text)}</textarea>`
    return `<div class="field">${label}${field}</div>`
  })
  const hint = '<p class="mt-3">This is what you typed, to copy. Passwords are not shown.</p>'
  return `${hint}<div class="form mt-6 text-left">${list.join('')}</div>`
}
