/** @jsxImportSource hono/jsx */

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
