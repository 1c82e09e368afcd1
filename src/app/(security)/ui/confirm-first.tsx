import { ButtonLink } from '@/ui/button'
import { addFactorUrl } from './add-factor-url'

/** Instead of a form that adds a factor, until the user has proved the change. */
export function ConfirmFirst({ page }: { page: string }) {
  return (
    <div className="grid justify-items-start gap-4">
      <p className="text-muted">To change how your account is protected, confirm that it is you.</p>
      <ButtonLink href={addFactorUrl(page)}>Confirm that it is you</ButtonLink>
    </div>
  )
}
