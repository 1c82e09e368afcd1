import { type ReactNode, useId } from 'react'

interface SectionProps {
  /** Where a link such as `#sessions` leads. */
  id?: string
  title: string
  /** With it, the title stands beside the content. */
  lead?: string
  children: ReactNode
}

export function Section({ id, title, lead, children }: SectionProps) {
  const titleId = useId()
  return (
    <section
      id={id}
      aria-labelledby={titleId}
      className={lead ? 'section section-with-lead' : 'section'}
    >
      <div>
        <h2 id={titleId}>{title}</h2>
        {lead && <p>{lead}</p>}
      </div>
      <div>{children}</div>
    </section>
  )
}
