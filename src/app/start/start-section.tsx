import type { ReactNode } from 'react'

interface StartSectionProps {
  id: string
  title: string
  children: ReactNode
}

export function StartSection({ id, title, children }: StartSectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid gap-x-12 gap-y-6 border-t border-line py-10 sm:py-14 lg:grid-cols-[16rem_1fr]"
    >
      <h2 id={`${id}-title`} className="text-xl">
        {title}
      </h2>
      <dl className="grid gap-y-6">{children}</dl>
    </section>
  )
}

export function StartTerm({ term, children }: { term: ReactNode; children: ReactNode }) {
  return (
    <div className="grid gap-x-8 gap-y-1 sm:grid-cols-[10rem_1fr]">
      <dt className="font-medium">{term}</dt>
      <dd className="max-w-prose text-muted">{children}</dd>
    </div>
  )
}
