export function actionsSource(model) {
  const { many, one, path, fields, policies, users, shared, creatorId, scopeArgument, title } =
    model
  const names = fields.map(({ property }) => `'${property}'`).join(', ')
  const policyNames = [...new Set([policies.write, policies.delete])].sort()
  const withUsers = users.length > 0
  return `'use server'

import { and, eq, ${shared ? '' : 'type SQL, '}sql } from 'drizzle-orm'
import { z } from 'zod'
${withUsers ? "import { findUserId } from 'plinth/auth/accounts/account-mail'\n" : ''}import type { Database } from 'plinth/db/client'
import { mutation } from 'plinth/guard/mutation'
import { versionField } from 'plinth/http/fields'
import { type ActionError, ${withUsers ? 'isActionError, ' : ''}refuse } from 'plinth/universal/action-result'
${shared ? '' : "import { ownedBy } from './data'\n"}import { ${one.camel}Fields, ${one.camel}Id } from './fields'
import { ${policyNames.join(', ')} } from './policy'
import { ${many.camel} } from './schema'

const rateLimit = { times: 120, seconds: 60 }

export const create${one.pascal} = mutation(
  {
    name: 'create_${one.snake}',
    authorize: ${policies.write},
    rateLimit,
    input: z.object(${one.camel}Fields),
    keeps: [${names}],
    target: ({ newId }) => newId,
    redirectTo: ({ newId }) => \`${path}/\${newId}\`,
  },
  async ({ tx, scope, input, newId, notify }) => {
${valuesSource(model, 'input')}    await tx.insert(${many.camel}).values({ id: newId, ...${withUsers ? 'values' : 'input'}, ${creatorId}: scope.session.user.id })
    notify(${noticeSource(model, 'input', 'created')})
    return { id: newId }
  },
)

/** Replaces only the version that the edit started from, so that no other edit is lost. */
export const save${one.pascal} = mutation(
  {
    name: 'save_${one.snake}',
    authorize: ${policies.write},
    rateLimit,
    input: z.object({ id: ${one.camel}Id, version: versionField, ...${one.camel}Fields }),
    keeps: [${names}],
    target: ({ input }) => input.id,
    redirectTo: ({ input }) => \`${path}/\${input.id}\`,
  },
  async ({ tx, notify, ${scopeArgument}input: { id, version, ...${withUsers ? 'typed' : 'values'} } }) => {
${valuesSource(model, 'typed')}${shared ? '' : `    const own = and(eq(${many.camel}.id, id), ownedBy(scope))\n`}    const [saved] = await tx
      .update(${many.camel})
      .set({ ...values, version: version + 1, updatedAt: sql\`now()\` })
      .where(and(${shared ? `eq(${many.camel}.id, id)` : 'own'}, eq(${many.camel}.version, version)))
      .returning({ id: ${many.camel}.id })
    notify(${noticeSource(model, withUsers ? 'typed' : 'values', 'saved')})
    return saved ?? saveConflict(tx, ${shared ? 'id' : 'own'})
  },
)

export const delete${one.pascal} = mutation(
  {
    name: 'delete_${one.snake}',
    authorize: ${policies.delete},
    rateLimit,
    input: z.object({ id: ${one.camel}Id }),
    target: ({ input }) => input.id,
    redirectTo: '${path}',
  },
  async ({ tx, notify, ${scopeArgument}input }) => {
    const [row] = await tx
      .delete(${many.camel})
      .where(${shared ? `eq(${many.camel}.id, input.id)` : `and(eq(${many.camel}.id, input.id), ownedBy(scope))`})
      .returning({ id: ${many.camel}.id, ${title.property}: ${many.camel}.${title.property} })
    if (!row) return deleted()
    notify(${noticeSource(model, 'row', 'deleted')})
    return { id: row.id }
  },
)

const deleted = () => refuse('not_found', 'This ${one.text} was deleted.')

/** With the stored version, which the next save replaces. */
async function saveConflict(tx: Database, ${shared ? 'id: string' : 'own: SQL | undefined'}): Promise<ActionError> {
  const [row] = await tx
    .select({ version: ${many.camel}.version })
    .from(${many.camel})
    .where(${shared ? `eq(${many.camel}.id, id)` : 'own'})
  if (!row) return deleted()
  return {
    ...refuse(
      'conflict',
      'This ${one.text} was changed after you opened it. Save again to replace that version.',
    ),
    stored: { version: String(row.version) },
  }
}
${withUsers ? withUserIds(model) : ''}`
}

/** The message names the row if its title is text. */
function noticeSource({ one, title }, row, done) {
  if (!textTypes.includes(title.type)) return `'${one.title} ${done}.'`
  return `\`“\${${row}.${title.property}}” ${done}.\``
}

const textTypes = ['string', 'text', 'email', 'url']

function valuesSource({ users }, typed) {
  if (users.length === 0) return ''
  return `    const values = await withUserIds(tx, ${typed})
    if (isActionError(values)) return values
`
}

function withUserIds({ one, users }) {
  const lookups = users.map(({ property, stored }) => {
    return `  const ${stored} = ${property} === null ? null : await findUserId(tx, ${property})
  if (${stored} === undefined) {
    return refuse('invalid', undefined, [{ field: '${property}', message: 'No user has this email.' }])
  }
`
  })
  const nullable = users.filter(({ optional }) => !optional).map(({ property }) => property)
  const text = lookups
    .join('')
    .replaceAll(new RegExp(`(${nullable.join('|') || '(?!)'}) === null \\? null : `, 'g'), '')
  return `
type Typed = z.output<z.ZodObject<typeof ${one.camel}Fields>>

/** A user is typed as an email and stored as an id. */
async function withUserIds(tx: Database, { ${users.map(({ property }) => property).join(', ')}, ...rest }: Typed) {
${text}  return { ...rest, ${users.map(({ stored }) => stored).join(', ')} }
}
`
}
