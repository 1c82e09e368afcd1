import type { HTMLAttributes } from 'react'
import { Icon } from './icon'

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
