import clsx from 'clsx'
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
      className={clsx(
        'mt-10 grid gap-x-12',
        lead
          ? 'gap-y-6 border-t border-line pt-8 md:grid-cols-[16rem_minmax(0,1fr)]'
          : 'grid-cols-[minmax(0,1fr)] gap-y-4',
      )}
    >
      <div>
        <h2 id={titleId} className="text-lg">
          {title}
        </h2>
        {lead && <p className="mt-1 text-sm text-muted">{lead}</p>}
      </div>
      <div>{children}</div>
    </section>
  )
}
