import type { Metadata } from 'next'
import { sessionCursorField } from 'plinth/auth/sessions/list'
import { page } from 'plinth/guard/page'
import { z } from 'zod'
import { Section } from '@/ui/page-parts'
import { listSessions } from '../../data/sessions'
import { mayUseAccount } from '../../policy'
import { AccountLayout } from '../account-layout'
import { Sessions } from './sessions'

export const metadata: Metadata = { title: 'Sessions · Account' }

const query = z.object({
  sessions: sessionCursorField.optional(),
  revoke: z.string().optional(),
})

export default page(
  {
    name: 'view_account_sessions',
    path: '/account/sessions',
    renderCache: true,
    authorize: mayUseAccount,
    query,
    load: ({ scope, query }) => listSessions(scope, query.sessions),
  },
  ({ query, data }) => (
    <AccountLayout current="/account/sessions">
      <Section
        title="Devices"
        lead="Where you are signed in. Revoke any session that you do not recognize."
      >
        <Sessions page={data} cursor={query.sessions} selected={query.revoke} />
      </Section>
    </AccountLayout>
  ),
)
