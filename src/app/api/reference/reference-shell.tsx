/** @jsxImportSource hono/jsx */
import 'server-only'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Child } from 'hono/jsx'
import { config } from '@/plinth.config'

/**
 * The header and footer of the pages, with their classes. They are React components, which Next does
 * not let an API route render.
 */
export function ReferenceShell({ children }: { children: Child }) {
  return (
    <div class="shell">
      <a href="#main" class="skip-link">
        Skip to content
      </a>
      <header class="shell-header">
        <div>
          <a href="/" class="brand">
            {/* biome-ignore lint/performance/noImgElement: not a page of Next. */}
            <img src="/icon.svg" alt="" />
            <span>{config.name}</span>
          </a>
          <SessionBar />
        </div>
      </header>
      <main id="main" tabindex={-1}>
        {children}
      </main>
      <footer>
        <div>
          <p>{config.name}</p>
          <ThemeControl />
        </div>
      </footer>
    </div>
  )
}

/** Without JavaScript a link to the sign-in page; public/reference.js shows who is signed in. */
function SessionBar() {
  return (
    <div class="reference-session">
      <a
        href="/sign-in?callbackUrl=%2Fapi%2Fdocs"
        class="button button-quiet button-small"
        data-anonymous
      >
        Sign in
      </a>
      <p data-user hidden>
        <bdi data-user-email />
        <span class="badge" data-user-role />
      </p>
      <button type="button" class="button button-secondary button-small" data-sign-out hidden>
        Sign out
      </button>
    </div>
  )
}

const themes = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

/** Driven by public/theme.js. */
function ThemeControl() {
  return (
    <theme-control>
      <fieldset class="theme-choices">
        <legend class="sr-only">Theme</legend>
        {themes.map(([value, label]) => (
          <label key={value}>
            <input type="radio" name="theme" value={value} autocomplete="off" />
            <svg class="icon" aria-hidden="true">
              <use href={`/icons.svg#${value}`} />
            </svg>
            {label}
          </label>
        ))}
      </fieldset>
    </theme-control>
  )
}

export type PageStyles = {
  /** Classes of `<html>`, which name the fonts. */
  rootClass: string
  stylesheets: readonly string[]
  fonts: readonly string[]
}

/** Any page would do: all have the stylesheet of the root layout. This one is prerendered. */
const page = '/unavailable'

/**
 * The stylesheet and fonts of the pages, whose names only the build knows. They are read from a
 * prerendered page. In development, and on hosts that keep it elsewhere, that page is requested.
 * If neither works, the reference is plain.
 */
export async function pageStyles(origin: string): Promise<PageStyles> {
  return stylesIn((await readPrerendered()) ?? (await requestPage(origin)) ?? '')
}

async function readPrerendered(): Promise<string | undefined> {
  if (process.env.NODE_ENV === 'development') return undefined
  const file = join(process.cwd(), '.next/server/app', `${page}.html`)
  return readFile(file, 'utf8').catch(() => undefined)
}

/** In development Next compiles the page first. */
const timeoutMs = process.env.NODE_ENV === 'development' ? 60_000 : 5_000

async function requestPage(origin: string): Promise<string | undefined> {
  try {
    const response = await fetch(origin + page, { signal: AbortSignal.timeout(timeoutMs) })
    return await response.text()
  } catch {
    return undefined
  }
}

export function stylesIn(html: string): PageStyles {
  const [, rootClass = ''] = /<html[^>]* class="([^"]*)"/.exec(html) ?? []
  return {
    rootClass,
    stylesheets: matches(html, /<link rel="stylesheet" href="(\/_next\/[^"]+)"/g),
    fonts: matches(html, /<link rel="preload" href="(\/_next\/[^"]+)" as="font"/g),
  }
}

function matches(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
}
