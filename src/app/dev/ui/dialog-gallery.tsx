import { Button } from '@/core/ui/button'
import { Dialog, DialogClose } from '@/core/ui/dialog'
import { InputField } from '@/core/ui/field'
import { GalleryRow, GallerySection } from './gallery-section'

export function DialogGallery() {
  return (
    <GallerySection title="Dialog">
      <GalleryRow title="With a form, and to confirm">
        <Dialog
          trigger={<Button variant="secondary">Rename</Button>}
          title="Rename the project"
          description="Links to it keep working."
          actions={
            <>
              <DialogClose>
                <Button variant="secondary">Cancel</Button>
              </DialogClose>
              <DialogClose>
                <Button>Rename</Button>
              </DialogClose>
            </>
          }
        >
          <InputField
            label="Project name"
            name="project"
            defaultValue="Analytical Engine"
            required
          />
        </Dialog>
        <Dialog
          trigger={<Button variant="danger">Delete</Button>}
          title="Delete the project?"
          description="Everything in it goes with it. This cannot be undone."
          actions={
            <>
              <DialogClose>
                <Button variant="secondary">Keep it</Button>
              </DialogClose>
              <DialogClose>
                <Button variant="danger">Delete the project</Button>
              </DialogClose>
            </>
          }
        />
      </GalleryRow>
    </GallerySection>
  )
}
