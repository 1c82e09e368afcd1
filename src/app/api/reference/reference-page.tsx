/** @jsxImportSource hono/jsx */

import { anchorOf, type ListedOperation, type OpenApi, operationsByTag } from 'plinth/http/open-api'
import { config } from '@/plinth.config'
import { Method, OperationArticle } from './operation'
import { pageStyles, ReferenceShell } from './reference-shell'
import { CodeBlock, Text } from './schema'
import { SignInTemplate } from './try-it'

/** The whole document. JSX escapes every text of a declaration. */
export async function referencePage(document: OpenApi, origin: string): Promise<string> {
  const styles = await pageStyles(origin)
  const page = (
    <html lang="en" class={styles.rootClass}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`API reference · ${config.name}`}</title>
        <meta name="description" content={`The HTTP API of ${config.name}.`} />
        <link rel="icon" href="/icon.svg" />
        {styles.fonts.map((href) => (
          <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossorigin="" />
        ))}
        {styles.stylesheets.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        <link rel="stylesheet" href="/reference.css" />
        <script src="/theme.js" />
        <script src="/reference.js" defer />
      </head>
      <body>
        <Body document={document} origin={origin} />
      </body>
    </html>
  )
  return `<!doctype html>${page}`
}

function Body({ document, origin }: { document: OpenApi; origin: string }) {
  const groups = operationsByTag(document)
  return (
    <ReferenceShell>
      <div class="page reference">
        <Contents groups={groups} />
        <div class="reference-body">
          <Introduction document={document} origin={origin} />
          <p class="reference-filter" hidden>
            <label for="reference-filter">Filter operations</label>
            <input id="reference-filter" class="control" type="search" autocomplete="off" />
          </p>
          <p id="reference-count" class="reference-type" role="status" />
          <p id="reference-status" class="sr-only" role="status" />
          {groups.map(({ name, operations }) => (
            <section key={name} aria-labelledby={`group-${name}`} data-group={name}>
              <h2 id={`group-${name}`}>/api/{name}</h2>
              {operations.map((operation) => (
                <OperationArticle
                  key={operation.operationId}
                  operation={operation}
                  document={document}
                  origin={origin}
                />
              ))}
            </section>
          ))}
        </div>
      </div>
      <SignInTemplate />
    </ReferenceShell>
  )
}

function Introduction({ document, origin }: { document: OpenApi; origin: string }) {
  return (
    <div class="reference-introduction">
      <h1>API reference</h1>
      <p>
        <Text>{document.info.description}</Text> Every response has an <code>X-Request-Id</code>.
      </p>
      <p>
        The same as an <a href="/api/openapi.json">OpenAPI document</a>. For programs, sign in for a
        token:
      </p>
      <CodeBlock title="Sign in for a token" code={tokenCommand(origin)} />
      <noscript>
        <p class="notice">
          Trying operations and filtering need JavaScript. Everything else does not.
        </p>
      </noscript>
    </div>
  )
}

function tokenCommand(origin: string): string {
  return [
    `curl ${origin}/api/auth/signin`,
    "-H 'content-type: application/json'",
    `-d '{"email": "…", "password": "…", "transport": "bearer"}'`,
  ].join(' \\\n  ')
}

interface ContentsProps {
  groups: readonly { name: string; operations: readonly ListedOperation[] }[]
}

/** Beside the operations on wide screens, above them on others; only one of the two is displayed. */
function Contents({ groups }: ContentsProps) {
  return (
    <>
      <nav aria-label="Operations" class="reference-contents reference-wide">
        <ContentsList groups={groups} />
      </nav>
      <details class="reference-contents reference-narrow">
        <summary>Operations</summary>
        <nav aria-label="Operations">
          <ContentsList groups={groups} />
        </nav>
      </details>
    </>
  )
}

function ContentsList({ groups }: ContentsProps) {
  return (
    <>
      {groups.map(({ name, operations }) => (
        <div key={name} data-group={name}>
          <p>/api/{name}</p>
          <ul>
            {operations.map((operation) => (
              <li key={operation.operationId} data-for={anchorOf(operation)}>
                <a href={`#${anchorOf(operation)}`}>
                  <Method method={operation.method} />
                  {operation.summary}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </>
  )
}
