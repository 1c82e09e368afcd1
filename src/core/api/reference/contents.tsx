/** @jsxImportSource hono/jsx */

import { anchorOf, type ListedOperation } from './open-api'
import { Method } from './operation'

interface ContentsProps {
  groups: readonly { name: string; operations: readonly ListedOperation[] }[]
}

/** Beside the operations on wide screens, above them on others; only one of the two is displayed. */
export function Contents({ groups }: ContentsProps) {
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
