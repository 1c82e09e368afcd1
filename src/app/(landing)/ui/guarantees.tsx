import { Section } from './section'

interface GuaranteesProps {
  guarantees: readonly { title: string; text: string; file: string }[]
}

export function Guarantees({ guarantees }: GuaranteesProps) {
  return (
    <Section
      id="guarantees"
      title="Guarantees, and where they live in the code"
      lead="Each guarantee names the file that implements it."
    >
      <ul className="grid gap-x-12 gap-y-10 sm:grid-cols-2 lg:grid-cols-3">
        {guarantees.map(({ title, text, file }) => (
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
