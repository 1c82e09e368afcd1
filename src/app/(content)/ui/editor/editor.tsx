import type { FormAction } from 'plinth/universal/action-result'
import { type RefObject, useEffect, useRef } from 'react'
import { type FormResult, useFormResult } from '@/ui/forms/field'
import { CharacterCount } from './character-count'
import { insert } from './insert'
import type { Preview } from './preview'
import { PreviewPanel } from './preview-panel'
import { RestoredText } from './restored-text'
import { useShortcuts } from './shortcuts'
import type { Tab } from './tab'
import { Tabs } from './tabs'
import { Toolbar } from './toolbar'
import { useUnsavedText } from './unsaved-text'

interface EditorProps {
  /** The id of the text field. */
  id: string
  tab: Tab | undefined
  setTab: (tab: Tab) => void
  textarea: RefObject<HTMLTextAreaElement | null>
  preview: FormAction<Preview>
  draftKey: string
  maxLength: number
}

/** The parts that JavaScript adds to the text field: preview, formatting, and protection of unsaved text. */
export default function Editor(props: EditorProps) {
  const { id, tab = 'write', setTab, textarea, preview, draftKey, maxLength } = props
  const result = useFormResult()
  const { restored, discard } = useUnsavedText(textarea, draftKey, result)
  useShortcuts(textarea)
  useEffect(() => setTab('write'), [setTab])
  useTextOnError(props, result)
  return (
    <>
      {restored && <RestoredText time={restored} discard={discard} />}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <Tabs id={id} selected={tab} select={setTab} />
        {tab === 'write' && (
          <Toolbar onCommand={(name) => textarea.current && insert(textarea.current, name)} />
        )}
      </div>
      {tab === 'preview' && <PreviewPanel id={id} textarea={textarea} preview={preview} />}
      {tab === 'write' && <CharacterCount textarea={textarea} maxLength={maxLength} />}
    </>
  )
}

/** The form focuses the first invalid field, but not one that the preview hides. */
function useTextOnError({ tab, setTab, textarea }: EditorProps, result: FormResult) {
  const handled = useRef(result)
  useEffect(() => {
    if (handled.current === result) return
    if (tab === 'preview' && result?.ok === false) return setTab('write')
    handled.current = result
    const invalid = textarea.current?.form?.querySelector('[aria-invalid="true"]')
    if (invalid === textarea.current) textarea.current?.focus()
  }, [tab, setTab, textarea, result])
}
