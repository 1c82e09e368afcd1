import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import { productName } from '@/core/config/product-name'
import { installModules } from '@/core/layout/installed-modules'
import { Enhancements } from '@/core/ui/enhancements/enhancements'
import { modules } from '@/modules'
import { mono, sans } from './fonts'
import { themeColors } from './theme-colors'
import './globals.css'

installModules(modules)

export const metadata: Metadata = {
  title: { default: productName, template: `%s · ${productName}` },
  description: `${productName}: pages, server actions and an HTTP API in one process.`,
}

/** Browsers take the first that applies. */
export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: dark)', color: themeColors.dark },
    { color: themeColors.light },
  ],
}

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    // theme.js sets data-theme before React hydrates.
    <html lang="en" className={`${sans.variable} ${mono.variable}`} suppressHydrationWarning>
      <head>
        {/* Neither async nor defer: it must run before the first paint. */}
        <script src="/theme.js" />
        <script src="/page.js" defer />
      </head>
      <body>
        {children}
        <Enhancements />
      </body>
    </html>
  )
}
