'use client'

import { type FormAction, refuse } from '@/core/ui/action-result'
import { ConfirmButton } from '@/core/ui/confirm-button'
import { CheckboxField, InputField, SelectField, TextAreaField } from '@/core/ui/field'
import { Form } from '@/core/ui/form'
import { SubmitButton } from '@/core/ui/submit-button'
import { GalleryRow, GallerySection } from './gallery-section'

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
