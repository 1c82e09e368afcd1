import type { Metadata } from 'next'
import { Badge } from '@/core/ui/badge'
import { Shell } from '@/core/ui/shell'
import { ButtonGallery } from './button-gallery'
import { FieldGallery } from './field-gallery'
import { FormGallery } from './form-gallery'
import { GalleryRow, GallerySection } from './gallery-section'
import { TableGallery } from './table-gallery'

export const metadata: Metadata = { title: 'Components' }

const navigation = [
  { href: '/', label: 'Home' },
  { href: '/dev/ui', label: 'Components' },
]

export default function GalleryPage() {
  return (
    <Shell navigation={navigation} current="/dev/ui">
      <div className="mx-auto max-w-4xl px-5 pt-12 pb-16 sm:px-8">
        <h1 className="text-2xl">Components</h1>
        <p className="mt-2 mb-4 max-w-prose text-muted">
          Every component in every state. This page is available in development only.
        </p>
        <ButtonGallery />
        <FieldGallery />
        <FormGallery />
        <TableGallery />
        <GallerySection title="Badge">
          <GalleryRow title="Tones">
            <Badge>Draft</Badge>
            <Badge tone="positive">Published</Badge>
            <Badge tone="warning">Expires soon</Badge>
            <Badge tone="danger">Revoked</Badge>
          </GalleryRow>
        </GallerySection>
      </div>
    </Shell>
  )
}
