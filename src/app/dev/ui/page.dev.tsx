import type { Metadata } from 'next'
import { Badge } from '@/core/ui/badge'
import { Button } from '@/core/ui/button'
import { Menu, MenuLink } from '@/core/ui/menu'
import { Shell } from '@/core/ui/shell'
import { ToastProvider } from '@/core/ui/toast'
import { ButtonGallery } from './button-gallery'
import { DialogGallery } from './dialog-gallery'
import { FieldGallery } from './field-gallery'
import { FormGallery } from './form-gallery'
import { GalleryRow, GallerySection } from './gallery-section'
import { MenuGallery } from './menu-gallery'
import { TableGallery } from './table-gallery'
import { ToastGallery } from './toast-gallery'

export const metadata: Metadata = { title: 'Components' }

const navigation = [
  { href: '/', label: 'Start' },
  { href: '/dev/ui', label: 'Components' },
]

export default function GalleryPage() {
  return (
    <ToastProvider>
      <Shell navigation={navigation} current="/dev/ui" person={<Person />}>
        <div className="mx-auto max-w-4xl px-5 pt-12 pb-16 sm:px-8">
          <h1 className="text-2xl">Components</h1>
          <p className="mt-2 mb-4 max-w-prose text-muted">
            Every component in every state. This page exists in development only.
          </p>
          <ButtonGallery />
          <FieldGallery />
          <FormGallery />
          <DialogGallery />
          <MenuGallery />
          <TableGallery />
          <GallerySection title="Badge">
            <GalleryRow title="Tones">
              <Badge>Draft</Badge>
              <Badge tone="positive">Published</Badge>
              <Badge tone="warning">Expires soon</Badge>
              <Badge tone="danger">Revoked</Badge>
            </GalleryRow>
          </GallerySection>
          <ToastGallery />
        </div>
      </Shell>
    </ToastProvider>
  )
}

function Person() {
  return (
    <Menu
      align="end"
      trigger={
        <Button variant="quiet" size="small">
          Ada
        </Button>
      }
    >
      <MenuLink href="/">Back to the start</MenuLink>
    </Menu>
  )
}
