import { Section } from './section'

interface ClaimsProps {
  claims: readonly { title: string; text: string; file: string }[]
}

/** Nothing is claimed without the file that holds it. */
export function Claims({ claims }: ClaimsProps) {
  return (
    <Section
      id="claims"
      title="What holds, and where to read it"
      lead="Six promises. Each is kept by code you can open, and by a test that fails without it."
    >
      <ul className="grid gap-x-12 gap-y-10 sm:grid-cols-2 lg:grid-cols-3">
        {claims.map(({ title, text, file }) => (
          <li
            key={title}
            className="grid grid-rows-[auto_1fr_auto] gap-2 border-t-2 border-ink pt-4"
          >
            <h3 className="text-lg">{title}</h3>
            <p className="text-muted">{text}</p>
            <p className="pt-1 font-mono text-xs break-all text-accent">{file}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
