import { escapeHtml } from '@/core/layout/site-metadata'
import { isSecretName } from '@/core/ui/typed-text'

/** The page is larger than the body of a form only by what is escaped. */
const maxFields = 50

/** What was typed into a form without JavaScript, to copy from the page that is shown instead. */
export function typedText(form: FormData): string {
  const fields = [...form].filter(isTyped).slice(0, maxFields)
  if (fields.length === 0) return ''
  const list = fields.map(([name, text], index) => {
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

const idName = /(^|_)ids?$|Ids?$/
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Ids are hidden fields, as are the fields of React. Checkboxes send on or off. */
function isTyped(field: [name: string, value: unknown]): field is [string, string] {
  const [name, value] = field
  return (
    typeof value === 'string' &&
    value.trim() !== '' &&
    !/^(on|off)$/.test(value) &&
    !name.startsWith('$ACTION') &&
    !isSecretName(name) &&
    !(idName.test(name) && uuid.test(value))
  )
}

/** `displayName` becomes "Display name". */
function labelOf(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function rowsOf(text: string): number {
  const lines = text.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / 50), 0)
  return Math.min(lines, 12)
}
