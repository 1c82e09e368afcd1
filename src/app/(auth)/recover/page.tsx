import type { Metadata } from 'next'
import { page } from 'plinth/guard/page'
import { anyone } from 'plinth/guard/policy'
import { problemDetail } from 'plinth/http/problems'
import { currentBrowser } from 'plinth/recovery/browser'
import { type RecoveryView, viewRecovery } from 'plinth/recovery/view'
import { z } from 'zod'
import { ButtonLink } from '@/ui/button'
import { LocalTime } from '@/ui/text'
import { linkPage, linkQuery } from '../link-page'
import { CompletionForm } from './completion-form'
import { Introduction, titleOf } from './introduction'
import { LeftEmail, ObjectForm, OpenForm } from './open-forms'
import { ProofForms } from './proof-forms'

export const metadata: Metadata = { ...linkPage, title: 'Take back your account' }

const query = linkQuery.extend({ error: z.string().optional() })

/** Opening the page changes nothing: mail scanners open links too. */
export default page(
  { path: '/recover', name: 'view_recovery', authorize: anyone, query },
  async ({ query: { token = '', error } }) => {
    const view = await viewRecovery(token, await currentBrowser())
    if (!view) return <EndedLink />
    const { state, opener, choices } = view
    const isOpen = state === 'waiting' || state === 'admin'
    return (
      <>
        <h1 className="text-2xl">{titleOf(view)}</h1>
        <Introduction view={view} />
        <Timeline view={view} />
        {state === 'new' && <OpenForm token={token} view={view} />}
        {choices && <CompletionForm token={token} choices={choices} />}
        {isOpen && opener !== 'you' && <ObjectForm token={token} view={view} />}
        {state !== 'new' && view.provable.length > 0 && (
          <ProofForms token={token} view={view} error={providerError(error)} />
        )}
        {view.mayHaveLeft && opener !== 'another' && <LeftEmail token={token} view={view} />}
      </>
    )
  },
)

/** A sign-in with a provider has failed as a proof. */
function providerError(code: string | undefined): string | undefined {
  if (code !== 'account_not_linked') return problemDetail(code)
  return 'This is not the account that was linked before the changes. Sign in with that one.'
}

function Timeline({ view: { timeline } }: { view: RecoveryView }) {
  return (
    <ol className="mt-6 grid gap-3 border-l-2 border-line pl-4 text-sm">
      {timeline.map(({ at, sentences }) => (
        <li key={`${at.getTime()} ${sentences}`}>
          <p className="text-muted">
            <LocalTime at={at} precision="minute" />
          </p>
          {sentences.map((sentence) => (
            <p key={sentence} className="break-words">
              {sentence}
            </p>
          ))}
        </li>
      ))}
    </ol>
  )
}

function EndedLink() {
  return (
    <>
      <h1 className="text-2xl">This link no longer works</h1>
      <p className="mt-3 text-muted">
        The recovery was completed or has ended, or the link has expired. Links work for seven days.
      </p>
      <h2 className="mt-8 text-lg">If you cannot sign in</h2>
      <ul className="mt-2 list-disc space-y-1 pl-5 text-muted">
        <li>
          Reset your password, if you read the email of the account. This signs out all devices.
        </li>
        <li>
          Look for a newer email about your account, also in your spam folder. Its link may still
          work.
        </li>
        <li>Otherwise ask an admin for help.</li>
      </ul>
      <p className="mt-8 flex flex-wrap gap-3">
        <ButtonLink href="/forgot">Reset your password</ButtonLink>
        <ButtonLink href="/sign-in" variant="secondary">
          Sign in
        </ButtonLink>
      </p>
    </>
  )
}
