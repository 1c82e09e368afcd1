import { paramsSource } from './params.mjs'

export function routeSource(model) {
  const { method, path, parameters, camel, snake } = model
  const hasBody = ['post', 'put', 'patch'].includes(method)
  const inputs = [
    ...(parameters.length > 0 ? [`params: ${paramsSource(parameters)}`] : []),
    ...(hasBody
      ? ["body: z.object({ note: lineField('Enter a note.') })", "example: { note: 'Hello' }"]
      : []),
  ]
  const usesSchema = method !== 'delete' || parameters.length > 0
  return `${usesSchema ? "import { z } from 'zod'\n" : ''}import { isSignedIn } from 'plinth/guard/policy'
import { route } from 'plinth/guard/route'
${hasBody ? "import { lineField } from 'plinth/http/fields'\n" : ''}
${method === 'get' ? '' : changeComment}export const ${camel} = route(
  {
    name: '${snake}',
    authorize: isSignedIn,
    ${method === 'get' ? '' : 'rateLimit: { times: 60, seconds: 60 },'}
    method: '${method}',
    path: '${path}',
    summary: '${summaryOf(model)}',
    ${inputs.length > 0 ? `input: { ${inputs.join(', ')} },` : ''}
    responses: { ${responseSource(model, hasBody)} },
  },
  ${handlerSource(model, hasBody)},
)
`
}

const verbs = { get: 'Get', post: 'Create', put: 'Replace', patch: 'Change', delete: 'Delete' }

function summaryOf({ method, path }) {
  const words = path.split('/').filter((segment) => segment !== '' && !segment.startsWith(':'))
  return [verbs[method], ...words.join('-').split(/[-_.]/)].join(' ').trim()
}

const changeComment = `/** To change data, spread the \`guard\` of a mutation here and call its \`run(scope, input)\`. */
`

function responseSource({ method, parameters }, hasBody) {
  if (method === 'delete') return `204: { description: 'Done.' }`
  const fields = [
    'userId: z.uuid()',
    ...parameters.map((name) => `${name}: z.string()`),
    ...(hasBody ? ['note: z.string()'] : []),
  ]
  return `200: { description: 'The result.', body: z.strictObject({ ${fields.join(', ')} }) }`
}

function handlerSource({ method, parameters }, hasBody) {
  if (method === 'delete') return '() => undefined'
  const parts = [...(parameters.length > 0 ? ['params'] : []), ...(hasBody ? ['body'] : [])]
  const given = parts.length > 0 ? `scope, input: { ${parts.join(', ')} }` : 'scope'
  const values = ['userId: scope.session.user.id', ...parts.map((part) => `...${part}`)]
  return `({ ${given} }) => ({ ${values.join(', ')} })`
}
