import clsx from 'clsx'
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
    <nav aria-label={label} className="mb-8 border-b border-line">
      <ul className="-mb-px flex gap-5 overflow-x-auto sm:gap-7">
        {items.map((item) => (
          <li key={item.href}>
            <a
              href={item.href}
              aria-current={item.href === current ? 'page' : undefined}
              className={clsx(
                'block border-b-2 py-2.5 text-sm font-medium whitespace-nowrap -outline-offset-2',
                item.href === current
                  ? 'border-accent text-ink'
                  : 'border-transparent text-muted hover:text-ink',
              )}
            >
              {item.label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
