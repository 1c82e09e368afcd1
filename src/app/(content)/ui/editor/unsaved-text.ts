import { type RefObject, useEffect, useRef, useState } from 'react'
import type { FormResult } from '@/ui/forms/field'
import { type ArticleControls, controlsOf } from './article-controls'
import { readDraft, removeDraft, writeDraft } from './draft-storage'
import { restoredTime } from './restored-time'

const saveAfterMs = 500

const question = 'Leave without saving? Your changes to this article will be lost.'

/**
 * Keeps unsaved text in the browser and shows it again, and asks before the page is left. `result` is
 * that of the form.
 */
export function useUnsavedText(
  textarea: RefObject<HTMLTextAreaElement | null>,
  key: string,
  result: FormResult,
) {
  const [restored, setRestored] = useState<string>()
  const controls = useRef<ArticleControls>(undefined)
  /** The text was sent, or the user gave it up. */
  const isDone = useRef(false)

  useEffect(() => {
    if (result?.ok === false) isDone.current = false
  }, [result])

  useEffect(() => {
    const element = textarea.current
    if (!element?.form) return
    controls.current = controlsOf(element, element.form)
    setRestored(restore(key, controls.current))
    return watch(controls.current, key, isDone)
  }, [textarea, key])

  function discard() {
    removeDraft(key)
    controls.current?.reset()
    setRestored(undefined)
    textarea.current?.focus()
  }

  return { restored, discard }
}

/** Not over text that was typed while the page was loading. Returns when it was typed. */
function restore(key: string, controls: ArticleControls): string | undefined {
  const draft = readDraft(key)
  if (!draft || controls.isChanged()) return undefined
  controls.write(draft)
  if (controls.isChanged()) return restoredTime(draft.at)
  removeDraft(key)
  return undefined
}

function watch(controls: ArticleControls, key: string, isDone: { current: boolean }) {
  const { form, isChanged, read } = controls
  const { pathname } = location
  const listeners = new AbortController()
  const { signal } = listeners
  let timer: ReturnType<typeof setTimeout> | undefined

  form.addEventListener('input', keepLater, { signal })
  form.addEventListener('submit', finish, { signal })
  window.addEventListener('pagehide', keepNow, { signal })
  window.addEventListener('beforeunload', (event) => isUnsaved() && event.preventDefault(), {
    signal,
  })
  document.addEventListener('plinth:navigate', askBeforeLeaving, { signal })
  // The page after a save is loaded anew if another build serves it.
  window.navigation?.addEventListener(
    'navigate',
    ({ destination }) => removeIfDone(new URL(destination.url).pathname),
    { signal },
  )

  return () => {
    listeners.abort()
    keepNow()
    removeIfDone(location.pathname)
  }

  /** If saving fails, the page stays at its path, and the text must remain. */
  function removeIfDone(destination: string) {
    if (isDone.current && destination !== pathname) removeDraft(key)
  }

  function isUnsaved() {
    return isChanged() && !isDone.current
  }

  function keepLater() {
    clearTimeout(timer)
    timer = setTimeout(keep, saveAfterMs)
  }

  function keepNow() {
    if (timer !== undefined) keep()
  }

  function keep() {
    clearTimeout(timer)
    timer = undefined
    if (isChanged()) writeDraft(key, { ...read(), at: Date.now() })
    else removeDraft(key)
  }

  function finish() {
    keepNow()
    isDone.current = true
  }

  function askBeforeLeaving(event: Event) {
    if (!isUnsaved()) return
    if (window.confirm(question)) finish()
    else event.preventDefault()
  }
}
