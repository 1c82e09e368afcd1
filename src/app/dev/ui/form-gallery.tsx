'use client'

import { refuse } from '@/core/ui/action-result'
import { ConfirmedForm } from '@/core/ui/confirmed-form'
import { LocalTime } from '@/core/ui/local-time'
import { OneButtonForm } from '@/core/ui/one-button-form'
import { GalleryRow, GallerySection } from './gallery-section'

const fail = async () => refuse('conflict', 'Another user saved first.')

export function FormGallery() {
  return (
    <>
      <GallerySection title="One-button form">
        <GalleryRow title="Returns an error">
          <OneButtonForm action={fail} fields={{}} label="Publish" />
        </GalleryRow>
        <GalleryRow title="With confirmation">
          <ConfirmedForm
            id="revoke"
            action={fail}
            label="Revoke"
            title="Revoke this key?"
            confirm="Revoke key"
          >
            Clients that use this key will stop working.
          </ConfirmedForm>
        </GalleryRow>
      </GallerySection>
      <GallerySection title="Time">
        <GalleryRow title="Day, and day with time">
          <LocalTime at={date} />
          <LocalTime at={date} precision="minute" />
        </GalleryRow>
      </GallerySection>
    </>
  )
}

const date = new Date('2026-03-14T15:09:26.535Z')
