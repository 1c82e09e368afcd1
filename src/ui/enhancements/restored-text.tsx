'use client'

import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { TextAreaField } from '../forms/field'
import { Notice } from '../text'
import { fillForm, takeKeptText } from './typed-text'

type Shown = {
  place: HTMLElement
  isUpdated: boolean
  /** The fields of forms that the page does not have any more. */
  lost: { name: string; value: string }[]
}

/** Fills the forms, and says above the first of them why they were not sent. */
export default function RestoredText() {
  const [shown, setShown] = useState<Shown>()
  useEffect(() => {
    return afterLoad(() => {
      const restored = restore()
      if (restored) setShown(restored)
    })
  }, [])
  useEffect(() => {
    const { place } = shown ?? {}
    place?.scrollIntoView({ block: 'nearest' })
    const form = place?.closest('form')
    const hide = () => setShown(undefined)
    form?.addEventListener('submit', hide)
    return () => {
      form?.removeEventListener('submit', hide)
      place?.remove()
    }
  }, [shown])
  if (!shown || (!shown.isUpdated && shown.lost.length === 0)) return null
  return createPortal(
    <Notice>
      {shown.isUpdated &&
        'The app was updated. Your form was not sent: check it and send it again.'}
      {shown.lost.length > 0 && (
        <div className="form mt-3">
          <p>The page has changed. This is what you typed, to copy:</p>
          {shown.lost.map(({ name, value }) => (
            <TextAreaField key={name} label={name} name="" required readOnly value={value} />
          ))}
        </div>
      )}
    </Notice>,
    shown.place,
  )
}

/** Parts of the page may still be streamed. */
function afterLoad(run: () => void): () => void {
  if (document.readyState === 'complete') run()
  else addEventListener('load', run, { once: true })
  return () => removeEventListener('load', run)
}

function restore(): Shown | undefined {
  const kept = takeKeptText()
  if (!kept) return undefined
  const filled = kept.forms.map((typed) => ({ typed, form: fillForm(typed) }))
  const lost = filled
    .filter(({ form }) => form === undefined)
    .flatMap(({ typed }) => typed.fields)
    .filter(({ value, checked }) => checked === undefined && value.trim() !== '')
  const place = document.createElement('div')
  const form = filled.find(({ form }) => form)?.form
  if (form) form.prepend(place)
  else {
    place.className = 'mb-6'
    document.querySelector('#main > *')?.prepend(place)
  }
  return { place, isUpdated: kept.reason === 'updated', lost }
}
