/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx'
import { productName } from '@/core/config/product-name'

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
            <span>{productName}</span>
          </a>
          <SessionBar />
        </div>
      </header>
      <main id="main" tabindex={-1}>
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
