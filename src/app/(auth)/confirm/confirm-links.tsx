import { ButtonLink } from '@/core/ui/button'

interface ConfirmLinksProps {
  links: readonly { href: string; label: string }[]
  callbackUrl: string
}

/** The pages of modules that confirm a user in another way. */
export function ConfirmLinks({ links, callbackUrl }: ConfirmLinksProps) {
  if (links.length === 0) return null
  return (
    <div className="mt-6 grid gap-3 border-t border-line pt-6">
      {links.map(({ href, label }) => (
        <ButtonLink
          key={href}
          href={`${href}?${new URLSearchParams({ callbackUrl })}`}
          variant="secondary"
          className="w-full"
        >
          {label}
        </ButtonLink>
      ))}
    </div>
  )
}
