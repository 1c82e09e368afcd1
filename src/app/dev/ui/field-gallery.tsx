import { Button } from '@/core/ui/button'
import { InputField, TextAreaField } from '@/core/ui/field'
import { GallerySection } from './gallery-section'

export function FieldGallery() {
  return (
    <GallerySection title="Field">
      <form method="get" className="grid max-w-md gap-6">
        <InputField label="Name" name="name" defaultValue="Ada Lovelace" required />
        <InputField
          label="Email"
          name="email"
          type="email"
          description="Used only for emails about your account."
          error="Enter an email in the format name@example.com."
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
          Submit
        </Button>
      </form>
    </GallerySection>
  )
}
