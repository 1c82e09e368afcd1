import type { ReactNode } from 'react'

export function GallerySection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="border-t border-line py-10 first-of-type:border-t-0">
      <h2 className="mb-6 text-xl">{title}</h2>
      <div className="grid gap-8">{children}</div>
    </section>
  )
}

export function GalleryRow({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="mb-3 text-xs font-medium text-muted">{title}</h3>
      <div className="flex flex-wrap items-center gap-3">{children}</div>
    </div>
  )
}
