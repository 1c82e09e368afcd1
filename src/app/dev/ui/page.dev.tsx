import type { Metadata } from 'next'
import { HomeCards } from '@/ui/home-cards'
import { Breadcrumbs, Section, SubNavigation } from '@/ui/page-parts'
import { Shell } from '@/ui/shell'
import { Badge, LocalTime, Notice } from '@/ui/text'
import { FormGallery, GalleryRow, GallerySection, ToastGallery } from './form-gallery'
import { ButtonGallery, FieldGallery, ListGallery, TableGallery } from './galleries'

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

const pages = [
  { href: '/dev/ui', label: 'Overview' },
  { href: '/dev/mailbox', label: 'Mailbox' },
]

const cards = [
  {
    title: 'Drafts',
    href: '/dev/ui',
    text: 'Your two latest drafts.',
    items: [
      { href: '/dev/ui#1', label: 'A long first draft', detail: 'by you' },
      { href: '/dev/ui#2', label: 'מאמר שני' },
    ],
    actions: [{ href: '/dev/ui#new', label: 'New draft' }],
  },
]

const date = new Date('2026-03-14T15:09:26.535Z')

function PageGallery() {
  return (
    <>
      <GallerySection title="Sub navigation">
        <SubNavigation label="Development" items={pages} current="/dev/ui" />
      </GallerySection>
      <GallerySection title="Breadcrumbs">
        <Breadcrumbs items={pages} />
      </GallerySection>
      <GallerySection title="Notice">
        <div className="grid gap-4">
          <Notice tone="positive">Draft saved.</Notice>
          <Notice>The account was not linked.</Notice>
        </div>
      </GallerySection>
      <GallerySection title="Toast">
        <ToastGallery />
      </GallerySection>
      <GallerySection title="Home card">
        <HomeCards cards={cards} />
      </GallerySection>
      <GallerySection title="Section">
        <Section title="Activity">The title is above the content.</Section>
        <Section title="Profile" lead="Your name as other users see it.">
          With a lead, the title is beside the content.
        </Section>
      </GallerySection>
      <GallerySection title="Time">
        <GalleryRow title="Day, and day with time">
          <LocalTime at={date} />
          <LocalTime at={date} precision="minute" />
        </GalleryRow>
      </GallerySection>
      <GallerySection title="Badge">
        <GalleryRow title="Tones">
          <Badge>Draft</Badge>
          <Badge tone="positive">Published</Badge>
          <Badge tone="warning">Expires soon</Badge>
          <Badge tone="danger">Revoked</Badge>
        </GalleryRow>
      </GallerySection>
    </>
  )
}
