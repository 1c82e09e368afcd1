/** @jsxImportSource hono/jsx */

import {
  anchorOf,
  changesData,
  type ListedOperation,
  needsSession,
  type OpenApi,
  type Operation,
} from 'plinth/http/open-api'
import { roles } from 'plinth/universal/users'
import { CodeBlock, FieldList, Problems, Responses, SchemaTree, Text } from './schema'
import { exampleOf, TryIt } from './try-it'

interface OperationProps {
  operation: ListedOperation
  document: OpenApi
  origin: string
}

export function OperationArticle({ operation, document, origin }: OperationProps) {
  const { summary, description, method, path } = operation
  const anchor = anchorOf(operation)
  return (
    <article id={anchor} class="reference-operation" aria-labelledby={`${anchor}-title`}>
      <div>
        <div data-search>
          <h3 id={`${anchor}-title`}>
            <a href={`#${anchor}`}>{summary}</a>
          </h3>
          <p class="reference-call">
            <Method method={method} /> <code>{path}</code>
            {changesData(operation) && <span class="badge badge-warning">Changes data</span>}
          </p>
          {description && (
            <p>
              <Text>{description}</Text>
            </p>
          )}
        </div>
        <h4>Who may call it</h4>
        <p>{accessText(operation)}</p>
        <Request operation={operation} document={document} />
        <Responses operation={operation} document={document} />
        <Problems operation={operation} />
      </div>
      <div>
        <CodeBlock title="Request" code={curlOf(operation, document, origin)} />
        <ResponseExample operation={operation} document={document} />
        <TryIt operation={operation} document={document} />
      </div>
    </article>
  )
}

export function Method({ method }: { method: string }) {
  return <b class={`reference-method reference-method-${method}`}>{method.toUpperCase()}</b>
}

function Request({ operation, document }: Omit<OperationProps, 'origin'>) {
  const { parameters = [], requestBody } = operation
  const { schemas } = document.components
  const [media] = Object.values(requestBody?.content ?? {})
  return (
    <>
      {parameters.length > 0 && (
        <>
          <h4>Parameters</h4>
          <FieldList
            fields={parameters.map((parameter) => ({
              ...parameter,
              place: `in the ${parameter.in}`,
            }))}
            side="request"
            schemas={schemas}
          />
        </>
      )}
      {requestBody && media && (
        <>
          <h4>Body</h4>
          <p>
            {Object.keys(requestBody.content).join(' or ')}
            {requestBody.required ? '' : '; may be omitted'}
          </p>
          <SchemaTree schema={media.schema} side="request" schemas={schemas} />
        </>
      )}
    </>
  )
}

/** The example of the first response that has a JSON body. */
function ResponseExample({ operation, document }: Omit<OperationProps, 'origin'>) {
  const { schemas } = document.components
  for (const [status, { content = {} }] of Object.entries(operation.responses)) {
    const media = content['application/json']
    if (!media) continue
    const example = media.example ?? exampleOf(media.schema, schemas)
    return <CodeBlock title={`Response ${status}`} code={JSON.stringify(example, null, 2)} />
  }
  return null
}

/** The callers that may use an operation. */
function accessText(operation: Operation): string {
  if (operation.security.length === 0) return 'Anyone.'
  if (!needsSession(operation)) return 'Anyone. The response depends on the session.'
  const allowed = operation['x-roles'] ?? []
  if (allowed.length === roles.length) return 'Signed-in users.'
  if (allowed.length === 0) return 'Signed-in users whom its policy allows.'
  return `Signed-in users with the role ${allowed.join(' or ')}.`
}

/** A command for a POSIX shell. */
function curlOf(operation: ListedOperation, document: OpenApi, origin: string): string {
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
