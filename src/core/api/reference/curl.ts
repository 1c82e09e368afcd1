import { exampleOf } from './example'
import { type ListedOperation, needsSession, type OpenApi } from './open-api'

/** A command for a POSIX shell. */
export function curlOf(operation: ListedOperation, document: OpenApi, origin: string): string {
  const { method, path, requestBody } = operation
  const body = requestBody?.content['application/json']
  const options = [
    ...(method === 'get' ? [] : [`-X ${method.toUpperCase()}`]),
    ...(needsSession(operation) ? ['-H "authorization: Bearer $TOKEN"'] : []),
    ...(body
      ? [
          "-H 'content-type: application/json'",
          `-d ${quote(JSON.stringify(body.example ?? exampleOf(body.schema, document.components.schemas)))}`,
        ]
      : []),
  ]
  return [`curl ${quote(origin + path)}`, ...options].join(' \\\n  ')
}

function quote(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
