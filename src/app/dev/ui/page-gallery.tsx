import { Badge } from '@/core/ui/badge'
import { FlashNotice } from '@/core/ui/flash-notice'
import { LocalTime } from '@/core/ui/local-time'
import { Section } from '@/core/ui/section'
import { SubNavigation } from '@/core/ui/sub-navigation'
import { GalleryRow, GallerySection } from './gallery-section'

const pages = [
  { href: '/dev/ui', label: 'Overview' },
  { href: '/dev/mailbox', label: 'Mailbox' },
]

const messages = { created: 'Draft saved.' }

const date = new Date('2026-03-14T15:09:26.535Z')

export function PageGallery() {
  return (
    <>
      <GallerySection title="Sub navigation">
        <SubNavigation label="Development" items={pages} current="/dev/ui" />
      </GallerySection>
      <GallerySection title="Flash notice">
        <FlashNotice done="created" messages={messages} />
        <FlashNotice done={undefined} messages={messages} error="The account was not linked." />
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
