import type { KeyboardEvent } from 'react'

/** One tab stop for a group of buttons: the arrow keys move between them. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const from = buttons.indexOf(event.target as HTMLButtonElement)
  const to = targetOf(event.key, from, buttons.length)
  const next = to === undefined ? undefined : buttons.at(to)
  if (!next) return
  event.preventDefault()
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1
  next.focus()
  if (next.role === 'tab') next.click()
}

function targetOf(key: string, from: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (from + 1) % count
  if (key === 'ArrowLeft') return from - 1
  if (key === 'Home') return 0
  return key === 'End' ? -1 : undefined
}
