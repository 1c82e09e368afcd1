/** @jsxImportSource hono/jsx */

import {
  anchorOf,
  changesData,
  type ListedOperation,
  nameOf,
  needsSession,
  type OpenApi,
  type Parameter,
  type Schema,
} from 'plinth/http/open-api'

interface TryItProps {
  operation: ListedOperation
  document: OpenApi
}

/** Hidden until public/reference.js runs, which sends the request with the session cookie. */
export function TryIt({ operation, document }: TryItProps) {
  const { method, path, summary, parameters = [], requestBody } = operation
  const id = (name: string) => `try-${operation.operationId}-${name}`
  const body = requestBody?.content['application/json']
  const example = body && (body.example ?? exampleOf(body.schema, document.components.schemas))
  const text = JSON.stringify(example, null, 2)
  return (
    <details class="reference-try" hidden>
      <summary>Try it</summary>
      <form
        class="form"
        aria-label={`Try: ${summary}`}
        aria-describedby={`${anchorOf(operation)}-title`}
        data-method={method.toUpperCase()}
        data-path={path}
        data-changes={changesData(operation)}
        data-session={needsSession(operation)}
      >
        {parameters.map((parameter) => (
          <div class="field" key={parameter.name}>
            <label for={id(parameter.name)}>
              {parameter.name}
              {!parameter.required && <span class="field-optional">optional</span>}
            </label>
            <ParameterControl parameter={parameter} id={id(parameter.name)} />
          </div>
        ))}
        {body && (
          <div class="field">
            <label for={id('body')}>Body</label>
            <textarea
              id={id('body')}
              class="control"
              data-in="body"
              rows={text.split('\n').length}
              spellcheck={false}
              autocomplete="off"
            >
              {text}
            </textarea>
          </div>
        )}
        <button type="submit" class="button button-small">
          Send request
        </button>
      </form>
      <div data-response />
    </details>
  )
}

function ParameterControl({ parameter, id }: { parameter: Parameter; id: string }) {
  const { name, required, schema } = parameter
  const choices = choicesOf(schema)
  const shared = { id, name, required, class: 'control', 'data-in': parameter.in }
  if (!choices) return <input {...shared} autocomplete="off" spellcheck={false} />
  return (
    <select {...shared}>
      {!required && <option value="" />}
      {choices.filter(Boolean).map((value) => (
        <option key={value}>{value}</option>
      ))}
    </select>
  )
}

/** Undefined if any other value is allowed too. */
function choicesOf({ anyOf = [], enum: values, const: only }: Schema): string[] | undefined {
  if (values) return values.map(String)
  if (only !== undefined) return [String(only)]
  const choices = anyOf.map(choicesOf)
  const isClosed = choices.length > 0 && choices.every((choice) => choice !== undefined)
  return isClosed ? choices.flat() : undefined
}

/** Shown where an operation needs a session and the caller has none. */
export function SignInTemplate() {
  return (
    <template id="reference-sign-in">
      <form class="form reference-sign-in" aria-label="Sign in">
        <p>This operation needs a session. Sign in to try it.</p>
        <div class="field">
          <label>
            Email
            <input class="control" name="email" type="email" autocomplete="username" required />
          </label>
        </div>
        <div class="field">
          <label>
            Password
            <input
              class="control"
              name="password"
              type="password"
              autocomplete="current-password"
              required
            />
          </label>
        </div>
        <p role="alert" />
        <button type="submit" class="button button-small">
          Sign in
        </button>
      </form>
    </template>
  )
}

type Schemas = OpenApi['components']['schemas']

/** A value that the schema allows, for reading: patterns are not followed. */
export function exampleOf(schema: Schema, schemas: Schemas, path: readonly string[] = []): unknown {
  if (schema.$ref) {
    const name = nameOf(schema.$ref)
    const named = schemas[name]
    return named && !path.includes(name) ? exampleOf(named, schemas, [...path, name]) : {}
  }
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.enum) return schema.enum[0]
  const [choice] = schema.anyOf ?? schema.oneOf ?? []
  if (choice) return exampleOf(choice, schemas, path)
  if (schema.allOf) return mergeExamples(schema.allOf, schemas, path)
  const [type] = [schema.type ?? (schema.properties ? 'object' : 'null')].flat()
  if (type === 'object') return objectExample(schema, schemas, path)
  if (type === 'array') return schema.items ? [exampleOf(schema.items, schemas, path)] : []
  if (type === 'string') return textExample(schema)
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1)
  return type === 'boolean' ? true : null
}

function objectExample({ properties = {} }: Schema, schemas: Schemas, path: readonly string[]) {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, exampleOf(field, schemas, path)]),
  )
}

function mergeExamples(parts: readonly Schema[], schemas: Schemas, path: readonly string[]) {
  return Object.assign({}, ...parts.map((part) => exampleOf(part, schemas, path)))
}

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00.000Z',
  date: '2026-01-31',
  email: 'ada@example.com',
  uri: 'https://example.com/',
  uuid: '3f2b8c1e-5d47-4a90-9c1e-7b0a4d2e6f18',
}

function textExample({ format = '' }: Schema): string {
  return formats[format] ?? '…'
}
