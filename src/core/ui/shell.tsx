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
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only z-20 rounded-md bg-accent px-4 py-2 text-sm font-medium text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <header className="border-b border-line bg-surface">
        <div className="mx-auto flex h-16 max-w-6xl items-center gap-3 px-5 sm:gap-8 sm:px-8">
          <a href="/" className="-m-1 flex min-w-0 rounded-sm p-1">
            <Brand />
          </a>
          <Navigation items={navigation} current={current} />
          {userMenu && <div className="order-last sm:ml-auto">{userMenu}</div>}
        </div>
      </header>
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <footer className="border-t border-line text-sm text-muted">
        <div className="mx-auto flex min-h-20 max-w-6xl flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-5 sm:px-8">
          <p>{productName}</p>
          <ThemeControl />
        </div>
      </footer>
    </div>
  )
}
