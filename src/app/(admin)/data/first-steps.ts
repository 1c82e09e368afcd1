import 'server-only'
import { env } from 'plinth/config/env'
import { config } from '@/plinth.config'
import { totalUsers } from './count-users'
import { invitationsEnabled } from './invitations'

export type Step = { title: string; text: string; href?: string }

/** With more users the admin is no longer new. The demo accounts are three. */
const fewUsers = 3

/** The steps that a new admin should take. Empty if all of them are done. */
export async function firstSteps(): Promise<Step[]> {
  const { SMTP_URL, SIGN_UP } = env()
  const steps: Step[] = []
  if ((await totalUsers()) <= fewUsers && SIGN_UP !== 'closed') {
    steps.push(
      invitationsEnabled()
        ? {
            title: 'Invite users',
            text: 'Only invited users can sign up.',
            href: '/admin/invitations',
          }
        : {
            title: 'Invite users',
            text: 'Sign-up is open: share the page /sign-up. To send invitations instead, set SIGN_UP=invite.',
          },
    )
  }
  if (!SMTP_URL) {
    steps.push({
      title: 'Set up mail',
      text: 'SMTP_URL is not set, so mail is written to files in DATA_DIR/outbox and reaches no one.',
    })
  }
  if (config.name === 'Plinth') {
    steps.push({
      title: 'Name the app',
      text: 'Change the name in src/plinth.config.ts. Pages and mail show it.',
    })
  }
  return steps
}
