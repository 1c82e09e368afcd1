import type { HTMLAttributes } from 'react'
import { ShellIcon } from './shell-icon'

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
export function ThemeControl() {
  return (
    <theme-control>
      <fieldset className="flex rounded-full border border-line p-0.5">
        <legend className="sr-only">Theme</legend>
        {choices.map(({ value, label }) => (
          <label
            key={value}
            className="relative inline-flex h-10 cursor-pointer items-center gap-1.5 rounded-full px-3 text-xs font-medium text-muted hover:text-ink has-checked:bg-sunken has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent sm:h-8"
          >
            <input
              type="radio"
              name="theme"
              value={value}
              autoComplete="off"
              className="absolute inset-0 cursor-pointer appearance-none rounded-full outline-none"
            />
            <ShellIcon name={value} />
            {label}
          </label>
        ))}
      </fieldset>
    </theme-control>
  )
}
