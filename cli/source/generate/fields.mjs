import { CommandError } from '../command-error.mjs'
import { didYouMean } from '../did-you-mean.mjs'
import { columnProperty, fieldTypes, samplesOf, valuesName } from './field-types.mjs'
import { fieldNames } from './names.mjs'
import { javaScriptWords, ownColumns } from './reserved.mjs'

/** Fields such as `title:string`, `notes:text?` and `status:enum:draft,published`, with their type. */
export function parseFields(specs) {
  const fields = specs.map(parseField)
  const repeated = fields.find(
    ({ property }, index) => fields.findIndex((other) => other.property === property) < index,
  )
  if (repeated) throw new CommandError(`The field ${repeated.property} is given twice.`)
  return fields.map((field) => ({
    ...field,
    columnName: field.column,
    ...fieldTypes[field.type],
    stored: columnProperty(field),
    samples: samplesOf(field),
    valuesName: field.type === 'enum' ? valuesName(field) : undefined,
  }))
}

/** The field that is the link of a row in a list. */
export function titleOf(fields) {
  if (fields.length === 0) throw new CommandError(`No fields given. ${example}`)
  const title = fields.find(
    ({ type, optional }) => !optional && !['boolean', 'text', 'user'].includes(type),
  )
  if (title) return title
  throw new CommandError(
    'Each row needs a text to show in a list: give at least one required field that is not a boolean, a text or a user.',
  )
}

const example = 'For example: title:string url:url notes:text? done:boolean due:date'

function parseField(spec) {
  const [, name, type, values, optional] = /^([^:?]+):([^:?]+)(?::([^?]+))?(\?)?$/.exec(spec) ?? []
  if (!name) {
    throw new CommandError(`Invalid field: ${spec}. Write name:type, and ? if optional. ${example}`)
  }
  if (!Object.hasOwn(fieldTypes, type)) {
    const known = Object.keys(fieldTypes).join(', ')
    throw new CommandError(
      `Unknown type in ${spec}: ${type}.${didYouMean(type, Object.keys(fieldTypes))} The types are ${known}.`,
    )
  }
  const names = requireNames(spec, name)
  if (optional && type === 'boolean') {
    throw new CommandError(`${spec}: a boolean is never empty. Remove the question mark.`)
  }
  return { ...names, type, optional: Boolean(optional), values: enumValues(spec, type, values) }
}

function requireNames(spec, name) {
  if (!/^[a-z][A-Za-z0-9]*(_[a-z0-9]+)*$/.test(name) || name.length > 50) {
    throw new CommandError(
      `Invalid field name in ${spec}: ${name}. Use letters and digits, such as dueDate.`,
    )
  }
  const names = fieldNames(name)
  if (ownColumns.includes(names.property)) {
    throw new CommandError(`${spec}: every row has ${names.property} already. Choose another name.`)
  }
  if (javaScriptWords.has(names.property)) {
    throw new CommandError(`${spec}: ${names.property} is a JavaScript word. Choose another name.`)
  }
  return names
}

function enumValues(spec, type, text) {
  if (type !== 'enum') {
    if (text === undefined) return undefined
    throw new CommandError(
      `${spec}: only an enum has values. Write ${spec.split(':')[0]}:enum:${text}.`,
    )
  }
  const values = text?.split(',') ?? []
  const valid = values.length > 1 && values.every((value) => /^[a-z][a-z0-9_-]{0,49}$/.test(value))
  if (valid && new Set(values).size === values.length) return values
  throw new CommandError(
    `${spec}: give at least two different values in lowercase, such as ${spec.split(':')[0]}:enum:draft,published.`,
  )
}
