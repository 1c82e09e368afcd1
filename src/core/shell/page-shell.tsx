import 'server-only'
import type { ComponentProps } from 'react'
import { currentScope } from '@/core/auth/current-scope'
import { env } from '@/core/env'
import { navigationFor, personMenuLinks } from '@/core/shell/installed'
import { PersonMenu } from '@/core/ui/person-menu'
import { Shell } from '@/core/ui/shell'
import { SignInLinks } from '@/core/ui/sign-in-links'

type Props = Omit<ComponentProps<typeof Shell>, 'person' | 'navigation'>

/** The shell of a page that is rendered for whoever asks, with who that is and what they may use. */
export async function PageShell(props: Props) {
  const scope = await currentScope()
  const person = scope.session ? (
    <PersonMenu person={scope.session.user} links={personMenuLinks()} />
  ) : (
    <SignInLinks signUp={env().SIGN_UP === 'open'} />
  )
  return <Shell {...props} navigation={navigationFor(scope)} person={person} />
}
