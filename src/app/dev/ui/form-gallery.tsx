'use client'

import { type FormAction, refuse } from 'plinth/universal/action-result'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '@/ui/button'
import { showToast } from '@/ui/enhancements/toasts'
import { ConfirmButton } from '@/ui/forms/confirm-button'
import { CheckboxField, InputField, SelectField, TextAreaField } from '@/ui/forms/field'
import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'

const fail: FormAction = async () => refuse('conflict', 'Another user saved first.')

/** Rejects a note without a title, and keeps all fields. */
const saveNote: FormAction = async (_state, form) => {
  const typed = Object.fromEntries([...form].map(([name, value]) => [name, String(value)]))
  if (typed.title) return { ok: true, data: undefined }
  const errors = [{ field: 'title', message: 'Enter a title.' }]
  return { ...refuse('invalid', undefined, errors), typed }
}

const colors = ['Gray', 'Green', 'Red'].map((label) => ({ value: label.toLowerCase(), label }))

export function FormGallery() {
  return (
    <>
      <GallerySection title="Form">
        <GalleryRow title="Keeps the fields after an error">
          <Form action={saveNote} fields={{ id: '4711' }} className="w-full max-w-md">
            <InputField label="Title" name="title" required />
            <TextAreaField label="Text" name="text" />
            <SelectField label="Color" name="color" options={colors} defaultValue="gray" required />
            <CheckboxField
              label="Pin to the top"
              name="pinned"
              description="Pinned notes are listed first."
              defaultChecked
            />
            <SubmitButton>Save note</SubmitButton>
          </Form>
        </GalleryRow>
        <GalleryRow title="Without the field that the error is about">
          <Form action={saveNote} className="w-full max-w-md" submitLabel="Save heading">
            <InputField label="Heading" name="heading" required />
          </Form>
        </GalleryRow>
        <GalleryRow title="With a button only">
          <Form action={fail} submitLabel="Publish" />
        </GalleryRow>
      </GallerySection>
      <GallerySection title="Confirm button">
        <GalleryRow title="Returns an error">
          <ConfirmButton
            id="revoke"
            action={fail}
            label="Revoke"
            title="Revoke this key?"
            confirm="Revoke key"
          >
            Clients that use this key will stop working.
          </ConfirmButton>
        </GalleryRow>
      </GallerySection>
    </>
  )
}

const undo = { action: 'undo', fields: { id: '1' } }

/** The undo button of the second one fails, to show its error. */
export function ToastGallery() {
  const [shown, setShown] = useState(0)
  const show = (more: object) => {
    setShown(shown + 1)
    showToast({ id: String(shown), text: `Invitation ${shown + 1} sent.`, ...more })
  }
  const undoAction = async () => refuse('conflict', 'It was changed in the meantime.')
  return (
    <div className="flex flex-wrap gap-3">
      <Button variant="secondary" onClick={() => show({})}>
        Show a toast
      </Button>
      <Button variant="secondary" onClick={() => show({ undo, undoAction })}>
        Show a toast with undo
      </Button>
    </div>
  )
}

/** The action runs until “Finish saving” is pressed, to show the pending state. */
export function PendingForm() {
  const [runs, setRuns] = useState(0)
  const finish = useRef<() => void>(undefined)

  async function run() {
    setRuns((count) => count + 1)
    await new Promise<void>((resolve) => {
      finish.current = resolve
    })
  }

  return (
    <form action={run} className="flex flex-wrap items-center gap-3">
      <SubmitButton variant="secondary">Save changes</SubmitButton>
      <Button variant="quiet" onClick={() => finish.current?.()}>
        Finish saving
      </Button>
      <output className="text-sm text-muted">Saved {runs} times</output>
    </form>
  )
}

export function GallerySection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="border-t border-line py-10 first-of-type:border-t-0">
      <h2 className="mb-6 text-xl">{title}</h2>
      <div className="grid gap-8">{children}</div>
    </section>
  )
}

export function GalleryRow({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="mb-3 text-xs font-medium text-muted">{title}</h3>
      <div className="flex flex-wrap items-center gap-3">{children}</div>
    </div>
  )
}
