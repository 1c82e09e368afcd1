import { type RefObject, useEffect } from 'react'
import type { Command } from './format-text'
import { insert } from './insert'

const commands: Readonly<Record<string, Command>> = { b: 'bold', i: 'italic', k: 'link' }

/** Ctrl or ⌘ with B, I and K in the text, and with S or Enter, which save, in the whole form. */
export function useShortcuts(textarea: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    const form = textarea.current?.form
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      const key = event.key.toLowerCase()
      const command = event.target === textarea.current ? commands[key] : undefined
      if (!form || !(command || key === 's' || key === 'enter')) return
      event.preventDefault()
      // The page has shortcuts of its own for some of these keys.
      event.stopPropagation()
      if (command) insert(event.target as HTMLTextAreaElement, command)
      // A second save while one is running would be a conflict with the first.
      else if (!form.querySelector('button[aria-busy]')) form.requestSubmit()
    }
    form?.addEventListener('keydown', onKeyDown)
    return () => form?.removeEventListener('keydown', onKeyDown)
  }, [textarea])
}
