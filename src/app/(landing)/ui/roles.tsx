import { Badge } from '@/core/ui/badge'
import { ButtonLink } from '@/core/ui/button'
import { Section } from './section'

interface RolesProps {
  roles: readonly { role: string; may: string }[]
}

export function Roles({ roles }: RolesProps) {
  return (
    <Section
      id="try"
      title="Try it as each of them"
      lead="The embedded database comes with one account for each role. The terminal that started this printed their password."
    >
      <ul className="divide-y divide-line border-y border-line">
        {roles.map(({ role, may }) => (
          <li key={role} className="grid gap-x-8 gap-y-1 py-5 sm:grid-cols-[14rem_6rem_1fr]">
            <span className="font-mono text-sm">{role}@example.com</span>
            <span>
              <Badge tone={role === 'admin' ? 'positive' : 'neutral'}>{role}</Badge>
            </span>
            <span className="text-muted">{may}</span>
          </li>
        ))}
      </ul>
      <ButtonLink href="/sign-in" className="mt-8">
        Sign in
      </ButtonLink>
    </Section>
  )
}
