import clsx from 'clsx'
import { ShellIcon } from './shell-icon'

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
      <nav aria-label="Main" className="hidden flex-1 sm:block">
        <ul className="flex gap-1">{items.map((item) => link(item, current, 'px-3 py-1.5'))}</ul>
      </nav>
      <div className="flex flex-1 justify-end sm:hidden">
        <button
          type="button"
          popoverTarget={popoverId}
          className="inline-flex h-11 items-center gap-2 rounded-md border border-line px-3.5 text-sm font-medium hover:bg-sunken"
        >
          <ShellIcon name="menu" />
          Menu
        </button>
        <nav
          id={popoverId}
          popover="auto"
          aria-label="Main"
          className="inset-x-3 top-3 m-0 w-auto rounded-lg border border-line bg-surface p-2 text-ink shadow-floating backdrop:bg-backdrop sm:hidden"
        >
          <div className="flex items-center justify-between pl-3">
            <p className="text-xs font-medium text-muted">Menu</p>
            <button
              type="button"
              popoverTarget={popoverId}
              popoverTargetAction="hide"
              aria-label="Close menu"
              className="grid size-11 place-items-center rounded-md hover:bg-sunken"
            >
              <ShellIcon name="close" />
            </button>
          </div>
          <ul>{items.map((item) => link(item, current, 'px-3 py-2.5'))}</ul>
        </nav>
      </div>
    </>
  )
}

function link(item: NavigationItem, current: string | undefined, spacing: string) {
  const isCurrent = current === item.href || current?.startsWith(`${item.href}/`)
  return (
    <li key={item.href}>
      <a
        href={item.href}
        aria-current={isCurrent ? 'page' : undefined}
        className={clsx(
          'block rounded-md text-sm font-medium hover:bg-sunken hover:text-ink',
          spacing,
          isCurrent ? 'bg-sunken text-ink' : 'text-muted',
        )}
      >
        {item.label}
      </a>
    </li>
  )
}
