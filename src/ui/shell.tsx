'use client'

import type { NavigationItem } from 'plinth/universal/navigation'
import type { HTMLAttributes, ReactNode } from 'react'
import { config } from '@/plinth.config'
import { Brand } from './brand'
import { Icon } from './text'

interface ShellProps {
  children: ReactNode
  navigation?: readonly NavigationItem[]
  /** The path of the page shown, which marks its navigation item as current. */
  current?: string
  /** The user menu, or a sign-in link. */
  userMenu?: ReactNode
}

export function Shell({ children, navigation = [], current, userMenu }: ShellProps) {
  return (
    <div className="shell">
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <header className="shell-header">
        <div>
          <Brand />
          <Navigation items={navigation} current={current} />
          {userMenu}
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <footer>
        <div>
          <p>
            {config.name}
            {config.source && (
              <>
                {' · '}
                <a href={config.source} className="underline underline-offset-4">
                  Source code
                </a>
              </>
            )}
          </p>
          <ThemeControl />
        </div>
      </footer>
    </div>
  )
}

interface NavigationProps {
  items: readonly NavigationItem[]
  current: string | undefined
}

const popoverId = 'navigation-menu'

/** A row of links; on small screens a native popover, which needs no JavaScript. */
function Navigation({ items, current }: NavigationProps) {
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

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'theme-control': HTMLAttributes<HTMLElement>
    }
  }
}

const choices = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

/** Driven by public/theme.js instead of React, to avoid a client component on every page. Use it once per page. */
function ThemeControl() {
  return (
    <theme-control>
      <fieldset className="theme-choices">
        <legend className="sr-only">Theme</legend>
        {choices.map(({ value, label }) => (
          <label key={value}>
            <input type="radio" name="theme" value={value} autoComplete="off" />
            <Icon name={value} />
            {label}
          </label>
        ))}
      </fieldset>
    </theme-control>
  )
}
