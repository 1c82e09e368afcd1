'use client'

import { Button } from '@/core/ui/button'
import { useToast } from '@/core/ui/toast'
import { GalleryRow, GallerySection } from './gallery-section'

export function ToastGallery() {
  const showToast = useToast()
  return (
    <GallerySection title="Toast">
      <GalleryRow title="Tones">
        <Button
          variant="secondary"
          onClick={() =>
            showToast({ title: 'Changes saved', description: 'Your profile is up to date.' })
          }
        >
          Show a message
        </Button>
        <Button
          variant="secondary"
          onClick={() =>
            showToast({
              title: 'Not saved',
              description: 'The connection was lost. Try again.',
              tone: 'danger',
            })
          }
        >
          Show a failure
        </Button>
      </GalleryRow>
    </GallerySection>
  )
}
