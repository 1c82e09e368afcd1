/**
 * The limit for the arguments of an action. React takes up to 4 µs for a value, so that 1 MiB of
 * `[],[],…` would take half a second.
 */
const maxValues = 10_000

/** Counts all parts of the arguments, in JSON. They need not be valid: React parses up to an error. */
export function hasTooManyValues(parts: readonly Buffer[]): boolean {
  let values = 0
  for (const part of parts) values += countValues(part)
  return values > maxValues
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const bracket = 0x5b
const brace = 0x7b

/** Stops to count above the limit. */
function countValues(json: Buffer): number {
  let values = 1
  let isInString = false
  for (let index = 0; index < json.length && values <= maxValues; index += 1) {
    const byte = json[index]
    if (byte === quote) isInString = !isInString
    else if (isInString) index += byte === backslash ? 1 : 0
    else if (byte === comma || byte === bracket || byte === brace) values += 1
  }
  return values
}
