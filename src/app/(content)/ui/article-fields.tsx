'use client'

import type { FormAction } from 'plinth/universal/action-result'
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { InputField, keepTyped, useFieldState } from '@/ui/forms/field'
import { describeControl, FieldLayout } from '@/ui/forms/field-layout'
import type { Preview } from './editor/preview'
import { panelOf, type Tab } from './editor/tab'

/** Not part of the page: the form works without it. */
const Editor = lazy(() => import('./editor/editor'))

interface ArticleFieldsProps {
  title: string | undefined
  body: string | undefined
  preview: FormAction<Preview>
  draftKey: string
  maxLength: number
}

const description =
  'Markdown: **bold**, _italic_, [links](https://example.com), # headings, lists, tables.'

export function ArticleFields({ title, body, preview, ...editor }: ArticleFieldsProps) {
  const { error, typed, autoFocus } = useFieldState('body')
  const id = useId()
  const textarea = useRef<HTMLTextAreaElement>(null)
  const [hydrated, setHydrated] = useState(false)
  const [tab, setTab] = useState<Tab>()
  useEffect(() => setHydrated(true), [])
  return (
    <>
      <InputField
        label="Title"
        name="title"
        required
        maxLength={200}
        dir="auto"
        defaultValue={title}
      />
      <FieldLayout {...{ id, label: 'Text', description, error }}>
        <div className="min-h-26 sm:min-h-16 noscript:hidden">
          {hydrated && (
            <Suspense>
              <Editor {...{ id, tab, setTab, textarea, preview }} {...editor} />
            </Suspense>
          )}
        </div>
        <div {...(tab && panelOf(id, 'write'))} hidden={tab === 'preview'}>
          <textarea
            ref={textarea}
            name="body"
            rows={18}
            dir="auto"
            {...describeControl({ id, description, error })}
            {...(autoFocus && { autoFocus })}
            defaultValue={keepTyped(typed ?? body)}
            className="control block font-mono"
          />
        </div>
      </FieldLayout>
    </>
  )
}
