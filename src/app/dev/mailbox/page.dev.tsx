import type { Metadata } from 'next'
import { connection } from 'next/server'
import { outboxFolder, readOutbox } from 'plinth/mail/deliver'
import type { ParsedMessage } from 'plinth/mail/parse-message'
import { PageLayout } from '@/app/page-layout'
import { classNames } from '@/ui/button'
import { EmptyState } from '@/ui/page-parts'

export const metadata: Metadata = { title: 'Mailbox' }

type Query = Promise<Record<string, string | string[] | undefined>>

export default async function MailboxPage({ searchParams }: { searchParams: Query }) {
  await connection()
  const { message: selected } = await searchParams
  const messages = await readOutbox()
  const shown = messages.find(({ id }) => id === selected) ?? messages[0]
  return (
    <PageLayout title="Mailbox">
      <p className="max-w-prose text-muted">
        Without <code className="font-mono text-sm text-ink">SMTP_URL</code>, emails are written to{' '}
        <code className="font-mono text-sm text-ink">{outboxFolder()}</code>. This page is available
        in development only.
      </p>
      {shown ? (
        <div className="mt-8 grid items-start gap-8 lg:grid-cols-[20rem_1fr]">
          <nav aria-label="Messages">
            <ul className="grid gap-1">
              {messages.map((message) => (
                <li key={message.id}>
                  <Entry {...message} current={message.id === shown.id} />
                </li>
              ))}
            </ul>
          </nav>
          <Message {...shown} />
        </div>
      ) : (
        <div className="mt-8">
          <EmptyState title="No emails yet.">
            Create an account or request a password reset to see one here.
          </EmptyState>
        </div>
      )}
    </PageLayout>
  )
}

function Entry({
  id,
  to,
  subject,
  date,
  current,
}: ParsedMessage & { id: string; current: boolean }) {
  return (
    <a
      href={`?message=${encodeURIComponent(id)}`}
      aria-current={current ? 'true' : undefined}
      className={classNames('block rounded-md px-3 py-2 hover:bg-sunken', current && 'bg-sunken')}
    >
      <span className="block text-sm font-medium">{subject}</span>
      <span className="block truncate text-xs text-muted">{to}</span>
      <span className="block text-xs text-muted">{new Date(date).toLocaleString('en')}</span>
    </a>
  )
}

/** Sandboxed as in a mail client: no scripts run, and links open outside the frame. */
function Message({ subject, to, html, text }: ParsedMessage) {
  return (
    <article className="min-w-0 rounded-lg border border-line bg-surface">
      <header className="border-b border-line px-5 py-4">
        <h2 className="text-lg">{subject}</h2>
        <p className="text-sm break-words text-muted">To {to}</p>
      </header>
      <iframe
        title={subject}
        sandbox="allow-top-navigation-by-user-activation"
        srcDoc={`<base target="_top">${html}`}
        className="h-128 w-full"
      />
      <details className="border-t border-line px-5 py-4">
        <summary className="text-sm font-medium">View as text</summary>
        <pre className="mt-3 font-mono text-xs break-words whitespace-pre-wrap">{text}</pre>
      </details>
    </article>
  )
}
