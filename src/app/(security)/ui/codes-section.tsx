import { ButtonLink } from '@/ui/button'
import { Notice } from '@/ui/text'
import { addFactorUrl } from './add-factor-url'

/** Fewer than this is a reason to create new ones. */
const few = 3

export function CodesSection({ left }: { left: number }) {
  return (
    <div className="grid justify-items-start gap-5">
      {left < few ? (
        <Notice>{left === 0 ? 'You have no codes left.' : `Only ${left} of 10 are left.`}</Notice>
      ) : (
        <p>{left} of 10 codes are left.</p>
      )}
      <ButtonLink href={addFactorUrl('/account/security/codes')} variant="secondary">
        Create new codes
      </ButtonLink>
    </div>
  )
}
