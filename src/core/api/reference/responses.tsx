/** @jsxImportSource hono/jsx */
import { type ListedOperation, nameOf, type OpenApi, type Response, typeText } from './open-api'
import { SchemaTree, Text } from './schema'

const problemType = 'application/problem+json'

interface ResponsesProps {
  operation: ListedOperation
  document: OpenApi
}

/** Those that are not problems. */
export function Responses({ operation, document }: ResponsesProps) {
  const own = Object.entries(operation.responses).filter(
    ([, { content = {} }]) => !(problemType in content),
  )
  return (
    <>
      <h4>Responses</h4>
      <ul class="reference-responses">
        {own.map(([status, response]) => (
          <li key={status}>
            <p>
              <b>{status}</b> <Text>{response.description}</Text>
            </p>
            <Headers response={response} document={document} />
            <Content response={response} document={document} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Headers({
  response: { headers = {} },
  document,
}: {
  response: Response
  document: OpenApi
}) {
  // Every response has a request id, which the introduction says.
  const own = Object.entries(headers).filter(([name]) => name !== 'X-Request-Id')
  return (
    <>
      {own.map(([name, header]) => {
        const { description = '' } = header.$ref
          ? (document.components.headers[nameOf(header.$ref)] ?? {})
          : header
        return (
          <p key={name}>
            Header <code>{name}</code>: <Text>{description}</Text>
          </p>
        )
      })}
    </>
  )
}

function Content({
  response: { content = {} },
  document,
}: {
  response: Response
  document: OpenApi
}) {
  return (
    <>
      {Object.entries(content).map(([type, { schema }]) => (
        <div key={type}>
          <p class="reference-type">
            {type}, {typeText(schema)}
          </p>
          {/json$/.test(type) && (
            <SchemaTree schema={schema} side="response" schemas={document.components.schemas} />
          )}
        </div>
      ))}
    </>
  )
}

export function Problems({ operation }: { operation: ListedOperation }) {
  const problems = Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
    Object.entries(content[problemType]?.examples ?? {}).map(([code, { value }]) => ({
      status,
      code,
      detail: value.detail,
    })),
  )
  return (
    <>
      <h4>Problems</h4>
      <ul class="reference-problems">
        {problems.map(({ status, code, detail }) => (
          <li key={code}>
            <b>{status}</b> <code>{code}</code> <span>{detail}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
