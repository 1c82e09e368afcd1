import type { Metadata } from 'next'
import { page } from 'plinth/guard/page'
import { isSignedIn } from 'plinth/guard/policy'
import { accountSections } from 'plinth/modules/installed-modules'
import { ButtonLink } from '@/ui/button'
import { TextLink } from '@/ui/text'

export const metadata: Metadata = { title: 'Your account is yours again' }

/** Pages of other modules, if they are installed. */
const reviewed = ['/account/sign-in', '/account/connected', '/account/security']

export default page(
  { path: '/recover/done', name: 'view_recovery_done', authorize: isSignedIn },
  ({ scope }) => {
    const sections = accountSections('').filter(({ href }) => reviewed.includes(href))
    return (
      <>
        <h1 className="text-2xl">Your account is yours again</h1>
        <div className="mt-3 grid gap-3 text-muted">
          <p>
            The changes were undone, and everyone else is signed out. You are signed in as{' '}
            <strong className="font-medium break-words text-ink">{scope.session.user.email}</strong>
            . The links in our emails about it have ended.
          </p>
        </div>
        <h2 className="mt-8 text-lg">What to do next</h2>
        <ol className="mt-2 list-decimal space-y-2 pl-5 text-muted">
          <li>
            Check that you recognize every sign-in method
            {sections.length > 0 ? ': ' : '.'}
            {sections.map(({ href, label }, index) => (
              <span key={href}>
                {index > 0 && ', '}
                <TextLink href={href}>{label}</TextLink>
              </span>
            ))}
            {sections.length > 0 && '.'}
          </li>
          <li>If you use the old password for other services, change it there too.</li>
          <li>Change the password of your mailbox if someone else may have read your mail.</li>
          <li>Earlier recovery codes no longer work. Create new ones if you used them.</li>
        </ol>
        <p className="mt-8">
          <ButtonLink href="/home">Go to the home page</ButtonLink>
        </p>
      </>
    )
  },
)
