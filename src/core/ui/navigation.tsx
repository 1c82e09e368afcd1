import { Icon } from './icon'

export interface NavigationItem {
  href: string
  label: string
}

interface NavigationProps {
  items: readonly NavigationItem[]
  current: string | undefined
}

const popoverId = 'navigation-menu'

/** A row of links; on small screens a native popover, which needs no JavaScript. */
export function Navigation({ items, current }: NavigationProps) {
  if (items.length === 0) return <div className="flex-1" />
  return (
    <>
      <nav aria-label="Main" className="navigation">
        <ul>{items.map((item) => link(item, current))}</ul>
      </nav>
      <div className="flex flex-1 justify-end sm:hidden">
        <button type="button" popoverTarget={popoverId} className="menu-button">
          <Icon name="menu" />
          Menu
        </button>
        <nav id={popoverId} popover="auto" aria-label="Main" className="menu">
          <div>
            <p>Menu</p>
            <button
              type="button"
              popoverTarget={popoverId}
              popoverTargetAction="hide"
              aria-label="Close menu"
            >
              <Icon name="close" />
            </button>
          </div>
          <ul>{items.map((item) => link(item, current))}</ul>
        </nav>
      </div>
    </>
  )
}

function link(item: NavigationItem, current: string | undefined) {
  const isCurrent = current === item.href || current?.startsWith(`${item.href}/`)
  return (
    <li key={item.href}>
      <a href={item.href} aria-current={isCurrent ? 'page' : undefined} className="navigation-link">
        {item.label}
      </a>
    </li>
  )
}
