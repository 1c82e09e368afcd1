import type { NavigationItem } from './navigation'

interface SubNavigationProps {
  /** For screen readers. */
  label: string
  items: readonly NavigationItem[]
  current: string
}

/** The pages of one area, as a row of links above its content. */
export function SubNavigation({ label, items, current }: SubNavigationProps) {
  return (
    <nav aria-label={label} className="sub-navigation">
      <ul>
        {items.map((item) => (
          <li key={item.href}>
            <a href={item.href} aria-current={item.href === current ? 'page' : undefined}>
              {item.label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
