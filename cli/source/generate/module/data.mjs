import { importLine } from '../model.mjs'
import { indefinite } from '../names.mjs'

/** Reads. Each part is the source of one or a few functions. */
export function dataSource(model) {
  const parts = [
    imports,
    list,
    find,
    exportRows,
    model.shared ? undefined : ownership,
    search,
    select,
  ]
  return parts.map((part) => part?.(model) ?? '').join('\n')
}

function imports({ many, shared, users, searchable }) {
  const operators = ['and', 'eq', 'getTableColumns']
  if (searchable.length > 0) operators.push('ilike')
  if (searchable.length > 1) operators.push('or')
  if (!shared) operators.push('type SQL')
  return `import 'server-only'
import { ${operators.join(', ')} } from 'drizzle-orm'
${users.length > 0 ? importLine(['alias'], 'drizzle-orm/pg-core') : ''}import { database } from 'plinth/db/client'
import { ${searchable.length > 0 ? 'containing, ' : ''}type Order, readAll, readPage } from 'plinth/db/list'
import { users } from 'plinth/db/schema'
import type { SignedInScope } from 'plinth/guard/policy'
${shared ? '' : importLine(['canSeeAll'], './policy')}import { encodeCursor, type ${many.pascal}Query, type sorts } from './query'
import { ${many.camel} } from './schema'
`
}

function list(model) {
  const { many, one, shared, searchable, sorts, title, scopeParameter } = model
  const searched = searchable.length > 0
  const conditions = [
    ...(shared ? [] : ['visibleTo(scope)']),
    ...(searched ? ['matches(search)'] : []),
  ]
  const byTitle = sorts.includes(title.property)
  return `export type ${one.pascal} = Awaited<ReturnType<typeof select${many.pascal}>>[number]

export async function list${many.pascal}(${scopeParameter}query: ${many.pascal}Query) {
  const { ${searched ? 'search, ' : ''}sort, cursor, limit } = query
  const { rows, next, previous } = await readPage(
    { order: orders[sort], cursor, limit, keyOf${byTitle ? ': keyOf(sort)' : ''} },
    ({ where, orderBy, limit }) =>
      select${many.pascal}()
        .where(and(${[...conditions, 'where'].join(', ')}))
        .orderBy(...orderBy)
        .limit(limit),
  )
  return {
    ${many.camel}: rows,
    next: next && encodeCursor({ ...next, sort }),
    previous: previous && encodeCursor({ ...previous, sort }),
  }
}

type Sort = (typeof sorts)[number]

const orders: Record<Sort, Order> = {
  newest: { key: ${many.camel}.createdAt, id: ${many.camel}.id, direction: 'desc' },
  oldest: { key: ${many.camel}.createdAt, id: ${many.camel}.id, direction: 'asc' },
${byTitle ? `  ${title.property}: { key: ${many.camel}.${title.property}, id: ${many.camel}.id, direction: 'asc' },\n` : ''}}

${byTitle ? keyOfSort(model) : `const keyOf = ({ createdAt }: ${one.pascal}) => createdAt`}
`
}

function keyOfSort({ one, title: { property } }) {
  return `function keyOf(sort: Sort) {
  return ({ ${property}, createdAt }: ${one.pascal}) => (sort === '${property}' ? ${property} : createdAt)
}`
}

function find({ many, one, shared, scopeParameter }) {
  const comment = `/** Undefined also for ${indefinite(one.text)} of another user, so that its existence is not revealed. */\n`
  const isIt = `eq(${many.camel}.id, id)`
  return `${shared ? '' : comment}export async function find${one.pascal}(${scopeParameter}id: string): Promise<${one.pascal} | undefined> {
  const [row] = await select${many.pascal}().where(${shared ? isIt : `and(${isIt}, visibleTo(scope))`})
  return row
}
`
}

function exportRows({ many, shared, creatorId }) {
  const own = shared ? `eq(${many.camel}.${creatorId}, scope.session.user.id)` : 'ownedBy(scope)'
  return `/** The ${many.text} ${shared ? 'that the user created' : 'of the user'}, newest first, for the data export. */
export async function export${many.pascal}(scope: SignedInScope) {
  const rows = readAll(
    { order: orders.newest, keyOf: ({ createdAt }: typeof ${many.camel}.$inferSelect) => createdAt },
    ({ where, orderBy, limit }) =>
      database()
        .select()
        .from(${many.camel})
        .where(and(${own}, where))
        .orderBy(...orderBy)
        .limit(limit),
  )
  return { ${many.camel}: rows }
}
`
}

function ownership({ many, creatorId }) {
  return `export function ownedBy(scope: SignedInScope): SQL {
  return eq(${many.camel}.${creatorId}, scope.session.user.id)
}

function visibleTo(scope: SignedInScope): SQL | undefined {
  return canSeeAll(scope) ? undefined : ownedBy(scope)
}
`
}

function search({ many, searchable }) {
  if (searchable.length === 0) return undefined
  const conditions = searchable.map(({ property }) => `ilike(${many.camel}.${property}, pattern)`)
  return `function matches(search: string | undefined) {
  if (!search) return undefined
  const pattern = containing(search)
  return ${conditions.length > 1 ? `or(${conditions.join(', ')})` : conditions[0]}
}
`
}

function select({ many, creator, creatorId, shared, users }) {
  const aliases = users.map(({ property }) => `const ${property}s = alias(users, '${property}')\n`)
  const userColumns = users.map(
    ({ property }) =>
      `  ${property}: { id: ${property}s.id, name: ${property}s.name, email: ${property}s.email },\n`,
  )
  const joins = users.map(
    ({ property, stored }) =>
      `    .leftJoin(${property}s, eq(${property}s.id, ${many.camel}.${stored}))\n`,
  )
  return `${aliases.join('')}
const columns = {
  ...getTableColumns(${many.camel}),
  ${creator}: { id: users.id, name: users.name },
${userColumns.join('')}}

function select${many.pascal}() {
  return database()
    .select(columns)
    .from(${many.camel})
    .${shared ? 'leftJoin' : 'innerJoin'}(users, eq(users.id, ${many.camel}.${creatorId}))
${joins.join('')}}
`
}
