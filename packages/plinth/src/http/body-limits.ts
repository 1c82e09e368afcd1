/** The limit for a form or a query: parsers take many times longer for a field than for its bytes. */
export const maxFields = 200
export const maxNameLength = 200

export const formLimits = `A form can have at most ${maxFields} fields, with names of at most ${maxNameLength} characters.`

/** A character takes up to nine in a URL-encoded name. */
const maxEncodedLength = 9 * maxNameLength

/** The names of a URL-encoded form. Undefined above the limits, before any value is decoded. */
export function fieldNames(form: string): string[] | undefined {
  if (hasTooManyFields(form)) return undefined
  const encoded = form.split('&').map((field) => field.split('=', 1)[0] ?? '')
  if (encoded.some((name) => name.length > maxEncodedLength)) return undefined
  const names = [...new URLSearchParams(encoded.join('&')).keys()]
  return names.some((name) => name.length > maxNameLength) ? undefined : names
}

/** Checks a URL-encoded form or a query. It stops counting at the limit. */
export function hasTooManyFields(text: string): boolean {
  let index = -1
  for (let fields = 1; fields <= maxFields; fields += 1) {
    index = text.indexOf('&', index + 1)
    if (index === -1) return false
  }
  return true
}
