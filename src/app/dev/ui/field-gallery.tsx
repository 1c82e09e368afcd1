import { Button } from '@/core/ui/button'
import { InputField, TextAreaField } from '@/core/ui/field'
import { Select } from '@/core/ui/select'
import { GallerySection } from './gallery-section'

const roles = [
  { value: 'viewer', label: 'Viewer' },
  { value: 'editor', label: 'Editor' },
  { value: 'admin', label: 'Admin' },
]

export function FieldGallery() {
  return (
    <>
      <GallerySection title="Field">
        <form method="get" className="grid max-w-md gap-6">
          <InputField label="Name" name="name" defaultValue="Ada Lovelace" required />
          <InputField
            label="E-mail"
            name="email"
            type="email"
            description="We write only about your account."
            error="This does not look like an e-mail address."
            defaultValue="ada@"
            required
          />
          <InputField label="Website" name="website" type="url" placeholder="https://" />
          <InputField label="Account number" name="number" defaultValue="4711" required disabled />
          <TextAreaField
            label="About you"
            name="about"
            description="A sentence or two, shown on your profile."
          />
          <Button type="submit" className="justify-self-start">
            Send
          </Button>
        </form>
      </GallerySection>
      <GallerySection title="Select">
        <div className="grid max-w-md gap-6">
          <Select label="Role" name="role" options={roles} defaultValue="viewer" />
          <Select
            label="New role"
            name="new-role"
            options={roles}
            placeholder="Choose a role"
            description="Takes effect on the person's next request."
            error="Choose a role."
          />
          <Select
            label="Fixed role"
            name="fixed-role"
            options={roles}
            defaultValue="admin"
            disabled
          />
        </div>
      </GallerySection>
    </>
  )
}
