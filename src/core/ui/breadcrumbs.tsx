import type { NavigationItem } from './navigation'

/** The pages above the page shown, from the top. */
export function Breadcrumbs({ items }: { items: readonly NavigationItem[] }) {
  return (
    <nav aria-label="Breadcrumbs" className="breadcrumbs">
      <ol>
        {items.map(({ href, label }) => (
          <li key={href}>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ol>
    </nav>
  )
}
