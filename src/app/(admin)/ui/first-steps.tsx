import { Section } from '@/ui/page-parts'
import { TextLink } from '@/ui/text'

interface FirstStepsProps {
  steps: readonly { title: string; text: string; href?: string }[]
}

export function FirstSteps({ steps }: FirstStepsProps) {
  if (steps.length === 0) return null
  return (
    <Section id="first-steps" title="First steps">
      <ol className="grid list-decimal gap-3 pl-5 text-sm">
        {steps.map(({ title, text, href }) => (
          <li key={title}>
            <b className="font-medium">{href ? <TextLink href={href}>{title}</TextLink> : title}</b>
            <p className="break-words text-muted">{text}</p>
          </li>
        ))}
      </ol>
    </Section>
  )
}
