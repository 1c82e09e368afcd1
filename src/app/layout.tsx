import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import { config } from '@/plinth.config'
import { Enhancements } from '@/ui/enhancements/enhancements'
import { themeColors } from './theme-colors'
import './globals.css'
import '@/register'
import localFont from 'next/font/local'

export const metadata: Metadata = {
  title: { default: config.name, template: `%s · ${config.name}` },
  description: `${config.name}: pages, server actions and an HTTP API in one process.`,
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

/** `node_modules/plinth/scripts/subset-fonts.mjs` makes the files. */
const sans = localFont({
  src: './fonts/geist-sans.woff2',
  variable: '--font-geist-sans',
  weight: '400 700',
})

/** Most pages have no code, so the browser loads it only when it is used. */
const mono = localFont({
  src: './fonts/geist-mono.woff2',
  variable: '--font-geist-mono',
  weight: '400 700',
  preload: false,
  adjustFontFallback: false,
})
