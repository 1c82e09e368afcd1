import { Badge } from '@/core/ui/badge'
import { Button } from '@/core/ui/button'

interface SignedInProps {
  name: string
  email: string
  role: string
}

export function SignedIn({ name, email, role }: SignedInProps) {
  return (
    <>
      <h1 className="text-2xl">You are signed in</h1>
      <p className="mt-4 text-muted">
        As <span className="font-medium text-ink">{name}</span> ({email}), with the role{' '}
        <Badge>{role}</Badge>
      </p>
      <form method="post" action="/api/auth/signout" className="mt-8">
        <input type="hidden" name="callbackUrl" value="/sign-in" />
        <Button type="submit" variant="secondary">
          Sign out
        </Button>
      </form>
    </>
  )
}
