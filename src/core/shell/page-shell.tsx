import 'server-only'
import type { ComponentProps } from 'react'
import { currentScope } from '@/core/auth/current-scope'
import { env } from '@/core/env'
import { PersonMenu } from '@/core/ui/person-menu'
import { Shell } from '@/core/ui/shell'
import { SignInLinks } from '@/core/ui/sign-in-links'

/** The shell of a page that is rendered for whoever asks, with who that is. */
export async function PageShell(props: Omit<ComponentProps<typeof Shell>, 'person'>) {
  const { session } = await currentScope()
  const person = session ? (
    <PersonMenu person={session.user} />
  ) : (
    <SignInLinks signUp={env().SIGN_UP === 'open'} />
  )
  return <Shell {...props} person={person} />
}
