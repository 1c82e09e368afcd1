import { importLine } from '../model.mjs'

export function fieldsSource({ one, fields }) {
  const http = fields.flatMap(({ imports }) => imports.fields ?? [])
  const accounts = fields.flatMap(({ imports }) => imports.accounts ?? [])
  const enums = fields.flatMap(({ valuesName, values }) =>
    valuesName
      ? [
          `export const ${valuesName} = [${values.map((value) => `'${value}'`).join(', ')}] as const\n`,
        ]
      : [],
  )
  const schemas = fields.map((field) => {
    const optional = field.optional ? '.nullable().default(null)' : ''
    return `  ${field.property}: ${field.schema(field)}${optional},`
  })
  return `import { z } from 'zod'
${importLine(accounts, 'plinth/auth/accounts/fields')}${importLine(http, 'plinth/http/fields')}
${enums.join('\n')}
export const ${one.camel}Id = z.uuid()

/** Shared by the form and the API. */
export const ${one.camel}Fields = {
${schemas.join('\n')}
}
`
}

export function policySource({ many, shared }) {
  if (shared) {
    return `import { isAdmin, isEditor, isSignedIn } from 'plinth/guard/policy'

export const mayRead = isSignedIn

/** Create and edit. */
export const mayWrite = isEditor

export const mayDelete = isAdmin
`
  }
  return `import { isAdmin, isSignedIn } from 'plinth/guard/policy'

/** Every user, for their own ${many.text}. */
export const mayUse = isSignedIn

/** Reading the ${many.text} of all users. Only the owner changes them. */
export const canSeeAll = isAdmin
`
}

export function querySource({ many, title, sorts, searchable }) {
  const byTitle = sorts.length > 2
  const created = `z.object({ sort: z.enum(['newest', 'oldest']), key: timestampKey, id: z.uuid() })`
  const row = byTitle
    ? `z.union([
    ${created},
    z.object({ sort: z.literal('${title.property}'), key: textKey, id: z.uuid() }),
  ])`
    : created
  const search = searchable.length > 0 ? '    search: searchField.optional(),\n' : ''
  return `import { z } from 'zod'
import { defineCursor, ${byTitle ? 'textKey, ' : ''}timestampKey } from 'plinth/db/list'
import { limitField, pageSize${search ? ', searchField' : ''} } from 'plinth/http/fields'

export const sorts = [${sorts.map((sort) => `'${sort}'`).join(', ')}] as const

const { cursorField, encodeCursor } = defineCursor(${row})

export { encodeCursor }

/** The options of the list, shared by the page and the API. */
export const ${many.camel}Query = z
  .object({
${search}    sort: z.enum(sorts).default('newest'),
    cursor: cursorField.optional(),
    limit: limitField.default(pageSize.default),
  })
  .refine(({ cursor, sort }) => !cursor || cursor.sort === sort, {
    path: ['cursor'],
    message: 'This cursor belongs to a different sort order.',
  })

export type ${many.pascal}Query = z.output<typeof ${many.camel}Query>
`
}
