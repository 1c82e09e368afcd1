'use client'

import type { ReactNode } from 'react'
import { productName } from '@/core/config/product-name'
import { Brand } from './brand'
import { Navigation, type NavigationItem } from './navigation'
import { ThemeControl } from './theme-control'

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
          <p>{productName}</p>
          <ThemeControl />
        </div>
      </footer>
    </div>
  )
}
