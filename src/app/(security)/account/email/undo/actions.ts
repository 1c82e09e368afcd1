'use server'

import { redirect } from 'next/navigation'
import { z } from 'zod'
import { action } from '@/core/guard/action'
import { anyone } from '@/core/guard/policy'
import { refuse } from '@/core/ui/action-result'
import { urlWith } from '@/core/ui/url'
import { undoEmailChange as undoWithLink } from '../../../data/email-undos'

export const undoEmailChange = action(
  {
    name: 'undo_email_change',
    authorize: anyone,
    rateLimit: { times: 30, seconds: 600 },
    input: z.object({ token: z.string().max(100) }),
  },
  async ({ scope, input: { token } }) => {
    const undone = await undoWithLink(scope, token)
    if ('error' in undone) return refuse('conflict', messages[undone.error])
    return redirect(urlWith('/reset', { token: undone.resetToken }))
  },
)

const messages = {
  invalid_link: 'This link no longer works.',
  email_taken:
    'Another account has this email now, so it cannot be restored. Nothing was changed. Ask an admin for help.',
}
