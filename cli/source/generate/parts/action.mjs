import { importLine } from '../model.mjs'

export function actionSource(model) {
  const { camel, snake, fields, table, policy = 'isSignedIn' } = model
  const keeps = fields.map(({ property }) => `'${property}'`).join(', ')
  const inputs = [...(table ? ['id: z.uuid()'] : []), ...fields.map(inputSource)]
  return `'use server'

${importsOf(model)}
${fields.map(valuesSource).join('')}
export const ${camel} = mutation(
  {
    name: '${snake}',
    authorize: ${policy},
    rateLimit: { times: 60, seconds: 60 },
    input: z.object({ ${inputs.join(', ')} }),
    ${keeps ? `keeps: [${keeps}],` : ''}
    target: ${table ? '({ input }) => input.id' : '({ newId }) => newId'},
  },
  ${table ? updateSource(model) : 'async ({ input, newId }) => ({ id: newId, ...input })'},
)
`
}

function importsOf({ fields, table, policy, isOwned }) {
  const own = policy ? './policy' : 'plinth/guard/policy'
  const lines = [
    table ? importLine(['eq', 'sql', ...(isOwned ? ['and'] : [])], 'drizzle-orm') : '',
    importLine(['z'], 'zod'),
    importLine(
      fields.flatMap(({ imports }) => imports.accounts ?? []),
      'plinth/auth/accounts/fields',
    ),
    importLine(['mutation'], 'plinth/guard/mutation'),
    importLine(
      fields.flatMap(({ imports }) => imports.fields ?? []),
      'plinth/http/fields',
    ),
    table ? importLine(['refuse'], 'plinth/universal/action-result') : '',
    table && isOwned ? importLine(['ownedBy'], './data') : '',
    importLine([policy ?? 'isSignedIn'], own),
    table ? importLine([table], './schema') : '',
  ]
  return lines.join('')
}

function inputSource(field) {
  const optional = field.optional ? '.nullable().default(null)' : ''
  return `${field.property}: ${field.schema(field)}${optional}`
}

function valuesSource({ valuesName, values }) {
  if (!valuesName) return ''
  return `\nconst ${valuesName} = [${values.map((value) => `'${value}'`).join(', ')}] as const\n`
}

function updateSource({ table, isOwned }) {
  const row = `eq(${table}.id, input.id)`
  return `async ({ tx, ${isOwned ? 'scope, ' : ''}input }) => {
    const [row] = await tx
      .update(${table})
      .set({ updatedAt: sql\`now()\` })
      .where(${isOwned ? `and(${row}, ownedBy(scope))` : row})
      .returning({ id: ${table}.id })
    return row ?? refuse('not_found')
  }`
}

export function actionTestSource({ kebab, camel, snake, fields, table }) {
  const id = table ? ['id: randomUUID()'] : []
  const input = [...id, ...fields.map((field) => `${field.property}: ${sampleOf(field)}`)]
  const assertions = table
    ? `  expect(await ${camel}.run(scope, input)).toMatchObject({ code: 'not_found' })`
    : `  expect(await ${camel}.run(scope, input)).toMatchObject(input)
  expect(await lastEvent(db.database)).toMatchObject({
    action: '${snake}',
    outcome: 'success',
    actorId: scope.session.user.id,
  })`
  return `${table ? "import { randomUUID } from 'node:crypto'\n" : ''}import { signedInScope, testDatabase } from 'plinth/testing'
${table ? '' : "import { lastEvent } from 'plinth/testing'\n"}import { beforeAll, expect, test } from 'vitest'
import { createDemoAccounts } from 'plinth/auth/accounts/users'
import { ${camel} } from '../${kebab}-action'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

test('${table ? 'refuses a row that does not exist' : 'returns its input, and is audited'}', async () => {
  const scope = await signedInScope(db.database, 'admin@example.com')
  const input = { ${input.join(', ')} }
${assertions}
})
`
}

/** As the action gets it, after it was parsed. */
function sampleOf({ type, samples, values }) {
  const sample = JSON.stringify(samples[0])
  if (type === 'datetime') return `new Date(${sample})`
  return values ? `${sample} as const` : sample
}
