import { ButtonLink } from '@/core/ui/button'
import { Badge } from '@/core/ui/text'
import { Section } from './section'

interface RolesProps {
  roles: readonly { role: string; description: string }[]
}

export function Roles({ roles }: RolesProps) {
  return (
    <Section
      id="try"
      title="Try each role"
      lead="The embedded database has one demo account per role. The password is printed in the terminal at startup."
    >
      <ul className="divide-y divide-line border-y border-line">
        {roles.map(({ role, description }) => (
          <li key={role} className="grid gap-x-8 gap-y-1 py-5 sm:grid-cols-[14rem_6rem_1fr]">
            <span className="font-mono text-sm">{role}@example.com</span>
            <span>
              <Badge tone={role === 'admin' ? 'positive' : 'neutral'}>{role}</Badge>
            </span>
            <span className="text-muted">{description}</span>
          </li>
        ))}
      </ul>
      <ButtonLink href="/sign-in" className="mt-8">
        Sign in
      </ButtonLink>
    </Section>
  )
}
