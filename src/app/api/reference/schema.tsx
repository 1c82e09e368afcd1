/** @jsxImportSource hono/jsx */

import {
  type ListedOperation,
  limitsText,
  nameOf,
  type OpenApi,
  type Response,
  type Schema,
  typeText,
} from 'plinth/http/open-api'

const problemType = 'application/problem+json'

interface ResponsesProps {
  operation: ListedOperation
  document: OpenApi
}

/** The responses that are not problems. */
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

type Schemas = OpenApi['components']['schemas']

/** A request says what it needs, a response what may be missing. */
type Side = 'request' | 'response'

interface SchemaProps {
  schema: Schema
  side: Side
  schemas: Schemas
  /** The named schemas around this one, so that a recursive schema ends. */
  path?: readonly string[]
}

/** The fields of a schema as a tree. A schema without fields is its type. */
export function SchemaTree({ schema, side, schemas, path = [] }: SchemaProps) {
  const { fields, path: inner } = fieldsOf(schema, schemas, path)
  if (fields.length > 0)
    return <FieldList fields={fields} side={side} schemas={schemas} path={inner} />
  if (schema.$ref || schema.items?.$ref) return null
  return (
    <p class="reference-type">
      {[typeText(schema), limitsText(schema)].filter(Boolean).join(', ')}
    </p>
  )
}

interface Field {
  name: string
  required: boolean
  schema: Schema
  /** Where a parameter is. */
  place?: string
}

interface FieldListProps {
  fields: readonly Field[]
  side: Side
  schemas: Schemas
  path?: readonly string[]
}

export function FieldList({ fields, side, schemas, path = [] }: FieldListProps) {
  return (
    <ul class="reference-fields">
      {fields.map(({ name, required, schema, place }) => {
        const nested = fieldsOf(schema, schemas, path)
        const limits = limitsText(schema)
        return (
          <li key={name}>
            <p>
              <code>{name}</code>{' '}
              <span class="reference-type">
                {[typeText(schema), place].filter(Boolean).join(', ')}
              </span>
              {side === 'request' && required && <b> required</b>}
              {side === 'response' && !required && <b> optional</b>}
            </p>
            {schema.description && (
              <p>
                <Text>{schema.description}</Text>
              </p>
            )}
            {limits && <p class="reference-type">{limits}</p>}
            {nested.fields.length > 0 && (
              <FieldList fields={nested.fields} side={side} schemas={schemas} path={nested.path} />
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** The fields of an object, of the items of an array, and of each alternative. */
function fieldsOf(
  schema: Schema,
  schemas: Schemas,
  path: readonly string[],
): { fields: Field[]; path: readonly string[] } {
  if (schema.$ref) {
    const name = nameOf(schema.$ref)
    const named = schemas[name]
    if (!named || path.includes(name)) return { fields: [], path }
    return fieldsOf(named, schemas, [...path, name])
  }
  const inside = schema.items ?? schema.additionalProperties
  if (typeof inside === 'object') return fieldsOf(inside, schemas, path)
  const parts = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (parts) {
    const found = parts.map((part) => fieldsOf(part, schemas, path))
    const inner = [...new Set(found.flatMap((part) => part.path))]
    return { fields: found.flatMap(({ fields }) => fields), path: inner }
  }
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    required: schema.required?.includes(name) ?? false,
    schema: field,
  }))
  return { fields, path }
}

/** Text of a declaration, in which `…` is code. Everything else is shown as it is. */
export function Text({ children }: { children: string }) {
  const parts = children.split(/`([^`]+)`/)
  return <>{parts.map((part, index) => (index % 2 ? <code key={part}>{part}</code> : part))}</>
}

/** A block of code with a button that public/reference.js makes work. */
export function CodeBlock({ title, code }: { title: string; code: string }) {
  return (
    <figure class="reference-code">
      <figcaption>
        {title}
        <button type="button" data-copy hidden>
          Copy
        </button>
      </figcaption>
      <pre>{code}</pre>
    </figure>
  )
}
