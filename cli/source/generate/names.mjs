import { CommandError } from '../command-error.mjs'

/** The spellings of a module's name: `reading-lists` has the table `reading_lists`. */
export function namesFor(id, singularId = singularOf(id)) {
  requireName(id, 'module')
  requireName(singularId, 'singular')
  if (id === singularId) {
    throw new CommandError(
      `The singular of ${id} is not known. Give it: --singular ${id}-item, for example.`,
    )
  }
  return { id, path: `/${id}`, table: snake(id), many: spellings(id), one: spellings(singularId) }
}

function requireName(name, what) {
  if (/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) return
  throw new CommandError(
    `Invalid ${what} name: ${name}. Use lowercase letters, digits and hyphens, such as reading-lists.`,
  )
}

function spellings(kebab) {
  const words = kebab.split('-')
  const pascal = words.map(capitalize).join('')
  return {
    kebab,
    snake: snake(kebab),
    pascal,
    camel: pascal[0].toLowerCase() + pascal.slice(1),
    text: words.join(' '),
    title: capitalize(words.join(' ')),
  }
}

function singularOf(plural) {
  if (/[^aeiou]ies$/.test(plural)) return `${plural.slice(0, -3)}y`
  if (/(ss|sh|ch|x|z)es$/.test(plural)) return plural.slice(0, -2)
  if (/[^su]s$/.test(plural)) return plural.slice(0, -1)
  return plural
}

/** `dueDate` and `due_date` are the property `dueDate`, the column `due_date`, the label `Due date`. */
export function fieldNames(name) {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
  const property = words[0] + words.slice(1).map(capitalize).join('')
  const text = words.map((word) => (acronyms.includes(word) ? word.toUpperCase() : word)).join(' ')
  return { property, column: words.join('_'), text, label: capitalize(text) }
}

const acronyms = ['url', 'id', 'ip']

export function capitalize(text) {
  return text[0].toUpperCase() + text.slice(1)
}

/** `a bookmark`, `an invoice`, `a user`. */
export function indefinite(text) {
  return `${/^([aeio]|u(?!ser|ni|til|rl))/.test(text) ? 'an' : 'a'} ${text}`
}

function snake(kebab) {
  return kebab.replaceAll('-', '_')
}
