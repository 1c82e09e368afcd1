import type { Metadata } from 'next'
import { Shell } from '@/core/ui/shell'
import { FormGallery } from './form-gallery'
import { ButtonGallery, FieldGallery, ListGallery, TableGallery } from './galleries'
import { PageGallery } from './page-gallery'

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
        <ListGallery />
        <PageGallery />
      </div>
    </Shell>
  )
}
