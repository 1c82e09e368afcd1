'use client'

import { refuse } from '@/core/guard/action-result'
import { ConfirmedForm } from '@/core/ui/confirmed-form'
import { LocalTime } from '@/core/ui/local-time'
import { OneButtonForm } from '@/core/ui/one-button-form'
import { GalleryRow, GallerySection } from './gallery-section'

const refused = async () => refuse('conflict', 'Somebody else was faster.')

export function FormGallery() {
  return (
    <>
      <GallerySection title="Form of one button">
        <GalleryRow title="Refused once it is sent">
          <OneButtonForm act={refused} fields={{}} label="Publish" />
        </GalleryRow>
        <GalleryRow title="Asks first">
          <ConfirmedForm
            id="revoke"
            act={refused}
            label="Revoke"
            title="Revoke the key?"
            confirm="Revoke the key"
          >
            Whatever uses it stops working at once.
          </ConfirmedForm>
        </GalleryRow>
      </GallerySection>
      <GallerySection title="Time">
        <GalleryRow title="A day, and a minute of it">
          <LocalTime at={moment} />
          <LocalTime at={moment} precision="minute" />
        </GalleryRow>
      </GallerySection>
    </>
  )
}

const moment = new Date('2026-03-14T15:09:26.535Z')
