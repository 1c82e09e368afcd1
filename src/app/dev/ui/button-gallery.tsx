import { Button, ButtonLink } from '@/core/ui/button'
import { Icon } from '@/core/ui/text'
import { GalleryRow, GallerySection } from './gallery-section'
import { PendingForm } from './pending-form'

export function ButtonGallery() {
  return (
    <GallerySection title="Button">
      <GalleryRow title="Variants">
        <Button>Primary</Button>
        <Button variant="secondary">Secondary</Button>
        <Button variant="quiet">Quiet</Button>
        <Button variant="danger">
          <Icon name="delete" />
          Danger
        </Button>
      </GalleryRow>
      <GalleryRow title="Small">
        <Button size="small">Primary</Button>
        <Button size="small" variant="secondary">
          Secondary
        </Button>
        <Button size="small" variant="quiet">
          Quiet
        </Button>
        <Button size="small" variant="danger">
          Danger
        </Button>
      </GalleryRow>
      <GalleryRow title="Disabled">
        <Button disabled>Primary</Button>
        <Button variant="secondary" disabled>
          Secondary
        </Button>
        <Button variant="danger" disabled>
          Danger
        </Button>
      </GalleryRow>
      <GalleryRow title="As link">
        <ButtonLink href="/">Home page</ButtonLink>
        <ButtonLink href="/" variant="secondary">
          Home page
        </ButtonLink>
      </GalleryRow>
      <GalleryRow title="Pending">
        <Button pending>Saving</Button>
        <PendingForm />
      </GalleryRow>
    </GallerySection>
  )
}
