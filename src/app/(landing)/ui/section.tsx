import type { ReactNode } from 'react'

interface SectionProps {
  id: string
  title: string
  lead?: string
  children: ReactNode
}

export function Section({ id, title, lead, children }: SectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="border-t border-line">
      <div className="mx-auto max-w-6xl px-5 py-16 sm:px-8 sm:py-24">
        <h2 id={`${id}-title`} className="text-2xl">
          {title}
        </h2>
        {lead && <p className="mt-3 max-w-2xl text-lg text-muted">{lead}</p>}
        <div className="mt-10 sm:mt-14">{children}</div>
      </div>
    </section>
  )
}
