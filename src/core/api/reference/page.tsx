/** @jsxImportSource hono/jsx */
import { productName } from '@/core/config/product-name'
import { Contents } from './contents'
import { type OpenApi, operationsByTag } from './open-api'
import { OperationArticle } from './operation'
import type { PageStyles } from './page-styles'
import { ReferenceShell } from './shell'
import { CodeBlock, Text } from './text'
import { SignInTemplate } from './try-it'

/** The whole document. JSX escapes every text of a declaration. */
export function referencePage(document: OpenApi, origin: string, styles: PageStyles): string {
  const page = (
    <html lang="en" class={styles.rootClass}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`API reference · ${productName}`}</title>
        <meta name="description" content={`The HTTP API of ${productName}.`} />
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
