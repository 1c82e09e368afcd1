import { type Difference, differencesBetween } from './differences-between'

type Fields = Readonly<Record<string, string>>

/** From the saved version to the typed one: what "Replace with my version" would do. */
export function Differences({ saved, typed }: { saved: Fields; typed: Fields }) {
  return (
    <details open className="mt-3">
      <summary className="cursor-pointer font-medium">
        Differences between the saved version and yours
      </summary>
      {['title', 'body'].map((field) => (
        <section
          key={field}
          dir="auto"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll what has the focus
          tabIndex={0}
          aria-label={`Differences in the ${field === 'body' ? 'text' : field}`}
          className="mt-2 max-h-80 overflow-auto rounded-md border border-line p-3 break-words whitespace-pre-wrap"
        >
          {differencesBetween(saved[field] ?? '', normalized(typed[field] ?? '')).map(
            (difference, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
              <Part key={index} {...difference} />
            ),
          )}
        </section>
      ))}
    </details>
  )
}

function Part({ kind, text }: Difference) {
  if (kind === 'same') return shortened(text)
  if (kind === 'removed')
    return (
      <del className="bg-danger-wash text-danger">
        <span className="sr-only">[Only in the saved version: </span>
        {text}
        <span className="sr-only">]</span>
      </del>
    )
  return (
    <ins className="bg-accent-wash text-accent">
      <span className="sr-only">[Only in yours: </span>
      {text}
      <span className="sr-only">]</span>
    </ins>
  )
}

const context = 200

function shortened(text: string): string {
  if (text.length <= 3 * context) return text
  return `${text.slice(0, context)}\n…\n${text.slice(-context)}`
}

/** A form sends CRLF. */
function normalized(text: string): string {
  return text.replaceAll('\r\n', '\n')
}
