import { Section } from './section'

interface FeaturesProps {
  features: readonly { title: string; text: string }[]
}

export function Features({ features }: FeaturesProps) {
  return (
    <Section id="features" title="Features">
      <ul className="grid gap-x-12 gap-y-10 sm:grid-cols-2 lg:grid-cols-3">
        {features.map(({ title, text }) => (
          <li key={title} className="grid content-start gap-2 border-t-2 border-ink pt-4">
            <h3 className="text-lg">{title}</h3>
            <p className="text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
