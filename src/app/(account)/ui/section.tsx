import { type ReactNode, useId } from 'react'

interface SectionProps {
  title: string
  lead: string
  children: ReactNode
}

export function Section({ title, lead, children }: SectionProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="mt-10 grid gap-x-12 gap-y-6 border-t border-line pt-8 md:grid-cols-[16rem_minmax(0,1fr)]"
    >
      <div>
        <h2 id={id} className="text-lg">
          {title}
        </h2>
        <p className="mt-1 text-sm text-muted">{lead}</p>
      </div>
      <div>{children}</div>
    </section>
  )
}
