import { indefinite } from '../names.mjs'

export function apiSource(model) {
  const { many, one, path, fields, policies, shared, creator, scopeArgument, scopeParameter } =
    model
  const outputs = fields.map(({ property, response, ...field }) => {
    const schema = typeof response === 'function' ? response({ property, ...field }) : response
    const nullable = field.optional || field.type === 'user' ? '.nullable()' : ''
    return `    ${property}: ${schema}${nullable},`
  })
  const enums = fields.flatMap(({ valuesName }) => valuesName ?? [])
  const publicUser = 'z.strictObject({ id: z.uuid(), name: z.string() })'
  return `import { z } from 'zod'
import type { SignedInScope } from 'plinth/guard/policy'
import { route } from 'plinth/guard/route'
import { versionField } from 'plinth/http/fields'
import { type ActionError, isActionError, refuse } from 'plinth/universal/action-result'
import { create${one.pascal}, delete${one.pascal}, save${one.pascal} } from './actions'
import { type ${one.pascal}, find${one.pascal}, list${many.pascal} } from './data'
import { ${[`${one.camel}Fields`, `${one.camel}Id`, ...enums].sort().join(', ')} } from './fields'
import { ${policies.read} } from './policy'
import { ${many.camel}Query } from './query'

const public${one.pascal} = z
  .strictObject({
    id: z.uuid(),
${outputs.join('\n')}
    ${creator}: ${publicUser}${shared ? '.nullable()' : ''},
    version: z.int(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: '${one.pascal}' })

const params = z.object({ id: ${one.camel}Id })

const example = ${JSON.stringify(Object.fromEntries(fields.map(({ property, samples }) => [property, samples[0]])), null, 2)}${enums.length > 0 ? ' as const' : ''}

export const api = [
  route(
    {
      name: 'list_${many.snake}',
      authorize: ${policies.read},
      method: 'get',
      path: '${path}',
      summary: 'List ${many.text}',
      description:
        'Newest first by default. To get the next page, send \`nextCursor\` as \`cursor\` with the same \`sort\`. It is \`null\` on the last page.',
      input: { query: ${many.camel}Query },
      responses: {
        200: {
          description: 'A page of ${many.text}.',
          body: z.strictObject({
            ${many.camel}: z.array(public${one.pascal}),
            nextCursor: z.string().nullable(),
          }),
        },
      },
    },
    async ({ ${scopeArgument}input: { query } }) => {
      const { ${many.camel}, next } = await list${many.pascal}(${scopeArgument}query)
      return { ${many.camel}: ${many.camel}.map(toPublic), nextCursor: next ?? null }
    },
  ),
  route(
    {
      name: 'read_${one.snake}',
      authorize: ${policies.read},
      method: 'get',
      path: '${path}/:id',
      summary: 'Get ${indefinite(one.text)}',
      input: { params },
      responses: { 200: { description: 'The ${one.text}.', body: public${one.pascal} } },
    },
    ({ ${scopeArgument}input: { params } }) => read(${scopeArgument}params),
  ),
  route(
    {
      ...create${one.pascal}.guard,
      method: 'post',
      path: '${path}',
      summary: 'Create ${indefinite(one.text)}',
      input: { body: z.object(${one.camel}Fields), example },
      responses: { 201: { description: 'The new ${one.text}.', body: public${one.pascal} } },
    },
    async ({ scope, input: { body } }) => read(${scopeArgument}await create${one.pascal}.run(scope, body)),
  ),
  route(
    {
      ...save${one.pascal}.guard,
      method: 'put',
      path: '${path}/:id',
      summary: 'Replace ${indefinite(one.text)}',
      description: 'Send the \`version\` that you read. If the ${one.text} has changed since, the response is 409.',
      input: {
        params,
        body: z.object({ ...${one.camel}Fields, version: versionField }),
        example: { ...example, version: 1 },
      },
      responses: { 200: { description: 'The saved ${one.text}.', body: public${one.pascal} } },
      problems: ['conflict'],
    },
    async ({ scope, input: { params, body } }) =>
      read(${scopeArgument}await save${one.pascal}.run(scope, { ...body, ...params })),
  ),
  route(
    {
      ...delete${one.pascal}.guard,
      method: 'delete',
      path: '${path}/:id',
      summary: 'Delete ${indefinite(one.text)}',
      input: { params },
      responses: { 204: { description: 'The ${one.text} was deleted.' } },
    },
    async ({ scope, input: { params } }) => {
      const result = await delete${one.pascal}.run(scope, params)
      return isActionError(result) ? result : undefined
    },
  ),
]

/** The ${one.text} that was asked for or changed, or the error. */
async function read(${scopeParameter}result: { id: string } | ActionError) {
  if (isActionError(result)) return result
  const ${one.camel} = await find${one.pascal}(${scopeArgument}result.id)
  return ${one.camel} ? toPublic(${one.camel}) : refuse('not_found')
}

function toPublic(${one.camel}: ${one.pascal}) {
  const { ${publicNames(model).join(', ')} } = ${one.camel}
  return { ${publicValues(model).join(', ')} }
}
`.replace(shared ? "import type { SignedInScope } from 'plinth/guard/policy'\n" : /(?!)/, '')
}

function publicNames({ fields, creator }) {
  const own = fields.map(({ property }) => property)
  return ['id', ...own, creator, 'version', 'createdAt', 'updatedAt']
}

function publicValues({ fields, creator }) {
  const values = fields.map(({ property, type }) =>
    type === 'user'
      ? `${property}: ${property} && { id: ${property}.id, name: ${property}.name }`
      : property,
  )
  return ['id', ...values, creator, 'version', 'createdAt', 'updatedAt']
}
