import 'server-only'
import type { Message } from 'plinth/mail/deliver'
import type { ChangeFacts, RecoveryFacts, RejectedFacts } from 'plinth/mail/recovery-messages'
import { LinkButton, MessageLayout, Paragraph, renderMessage, SmallPrint } from './message-layout'

/** To the email that the account had before the change. */
export function changeNotice(to: string, facts: ChangeFacts): Promise<Message> {
  const { at, sentences, confirmed, origin, link } = facts
  const title = 'The sign-in to your account was changed'
  const what = sentences.join(' ')
  return renderMessage(
    to,
    title,
    <MessageLayout preview={what} title={title}>
      <Paragraph>{what}</Paragraph>
      <Paragraph>This was on {dateText(at)}. If it was you, there is nothing to do.</Paragraph>
      {link && (
        <>
          <Paragraph>
            If it was not you, someone else may be using your account. You can lock them out and
            take it back. The page shows what was changed and explains each step; nothing happens
            before you confirm it there.
          </Paragraph>
          <LinkButton href={link}>This was not me</LinkButton>
          <SmallPrint>
            You have seven days. The link also works after the email or the password was changed
            again. Do not forward this email: its link is for you only.
          </SmallPrint>
        </>
      )}
      {!link && (confirmed ? <ConfirmedChange origin={origin} /> : <ChangeWithoutLink />)}
    </MessageLayout>,
  )
}

function ConfirmedChange({ origin }: { origin: string }) {
  return (
    <Paragraph>
      It was confirmed with your authenticator app or a passkey. If it was not you, someone else can
      use one of them. Review your sign-in methods at {`${origin}/account/security`}, or ask an
      admin to freeze the account.
    </Paragraph>
  )
}

/** The account has gone back to an email whose reader can undo all of it. */
function ChangeWithoutLink() {
  return (
    <Paragraph>
      If it was not you, ask an admin for help. This email no longer belongs to the account, so it
      cannot undo the change.
    </Paragraph>
  )
}

/** To each email of the account, the present one and earlier ones. */
export function recoveryNotice(to: string, facts: RecoveryFacts): Promise<Message> {
  if (facts.openedBy === 'you') return openerNotice(to, facts)
  return facts.openedBy === 'admin' ? frozenByAdmin(to, facts) : objectionNotice(to, facts)
}

const frozen =
  'The account is frozen: all devices are signed out, and no one can sign in or change anything.'

function openerNotice(to: string, facts: RecoveryFacts): Promise<Message> {
  const { isReminder, openedAt, readyAt, targetEmail, link } = facts
  const title = isReminder
    ? 'You can take back your account tomorrow'
    : 'Your account is frozen, and you can take it back'
  const proofs =
    to === targetEmail
      ? 'for example with the password that it had before'
      : 'for example with your authenticator app or a passkey'
  return renderMessage(
    to,
    title,
    <MessageLayout preview="No one can sign in until you are done." title={title}>
      <Paragraph>
        On {dateText(openedAt)} you told us that recent changes to your account were not yours.{' '}
        {frozen} This is also true for the person who made the changes.
      </Paragraph>
      <Paragraph>
        {readyAt
          ? `You can take back the account on ${dateText(readyAt)}. You do not have to wait if you prove that it is yours, ${proofs}.`
          : `An admin decides what happens next. You do not have to wait if you prove that it is yours, ${proofs}.`}
      </Paragraph>
      <LinkButton href={link}>Open the recovery</LinkButton>
      <SmallPrint>
        If you did not do this, someone else reads mail that we send to you. Change the password of
        your mailbox, and ask an admin for help.
      </SmallPrint>
    </MessageLayout>,
  )
}

function objectionNotice(to: string, facts: RecoveryFacts): Promise<Message> {
  const { isReminder, targetEmail, openedAt, readyAt, sentences, link } = facts
  const title = isReminder
    ? 'One day left to object: recent changes to your account will be undone'
    : 'Someone wants to undo recent changes to your account'
  return renderMessage(
    to,
    title,
    <MessageLayout preview="Were the changes yours? Then object." title={title}>
      <Paragraph>
        The recovery of your account was opened from another email on {dateText(openedAt)}. {frozen}
      </Paragraph>
      <Changes sentences={sentences} />
      <Paragraph>
        {readyAt
          ? `If no one objects, they are undone after ${dateText(readyAt)}, and the account belongs to the reader of ${targetEmail}.`
          : 'An admin decides whether they are undone.'}
      </Paragraph>
      <Paragraph>
        If you opened the recovery yourself, there is nothing to do. If these changes were yours,
        and someone else wants to undo them, object{readyAt ? ' before then' : ''}. The page
        explains each step.
      </Paragraph>
      <LinkButton href={link}>See the recovery</LinkButton>
      <SmallPrint>This link works until the recovery ends. It is for you only.</SmallPrint>
    </MessageLayout>,
  )
}

function frozenByAdmin(to: string, facts: RecoveryFacts): Promise<Message> {
  const { openedAt, sentences, link } = facts
  const title = 'An admin has frozen your account'
  return renderMessage(
    to,
    title,
    <MessageLayout preview="Recent changes to it are being checked." title={title}>
      <Paragraph>
        On {dateText(openedAt)} an admin froze your account, because someone else may have changed
        it. All devices are signed out, and no one can sign in or change anything.
      </Paragraph>
      <Changes sentences={sentences} />
      <Paragraph>
        The admin decides whether they are undone. On this page you can say that the account is
        yours, and prove it:
      </Paragraph>
      <LinkButton href={link}>See the recovery</LinkButton>
      <SmallPrint>This link works until the recovery ends. It is for you only.</SmallPrint>
    </MessageLayout>,
  )
}

const maxSentences = 8

function Changes({ sentences }: { sentences: readonly string[] }) {
  const rest = sentences.length - maxSentences
  const more = rest > 0 ? ` And ${rest} more.` : ''
  return (
    <Paragraph>
      These are the changes: {sentences.slice(0, maxSentences).join(' ')}
      {more}
    </Paragraph>
  )
}

/** In UTC: the server does not know where the reader is. */
function dateText(at: Date): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat('en-US', format).format(at)} UTC`
}

export function recoveryAllowed(to: string, link: string): Promise<Message> {
  const title = 'You can take back your account'
  return renderMessage(
    to,
    title,
    <MessageLayout preview="An admin has decided for you." title={title}>
      <Paragraph>
        An admin has looked at the recent changes to your account, and decided that you may take it
        back. The page shows what is undone before you confirm it.
      </Paragraph>
      <LinkButton href={link}>Take back my account</LinkButton>
      <SmallPrint>
        You have seven days. Until you are done, no one can sign in; after that the account stays as
        it is now. If you did not ask for this, do not use the link, and tell the admin.
      </SmallPrint>
    </MessageLayout>,
  )
}

/** An admin has decided against it, or no one has completed it. */
export function recoveryRejected(to: string, facts: RejectedFacts): Promise<Message> {
  const { isOpener, isCurrent } = facts
  const title = 'The recovery of your account has ended'
  return renderMessage(
    to,
    title,
    <MessageLayout preview="The recent changes stay." title={title}>
      <Paragraph>
        An admin has decided against it, or it was not completed within seven days. The account is
        no longer frozen, and the recent changes stay.
      </Paragraph>
      <Paragraph>
        {isCurrent
          ? 'You can sign in again.'
          : 'This email does not belong to the account. If the account is yours, ask an admin for help.'}
      </Paragraph>
      {!isOpener && (
        <Paragraph>
          If there are changes that you did not make, use “This was not me” in the email that told
          you about them. Its link works for seven more days.
        </Paragraph>
      )}
    </MessageLayout>,
  )
}

export function recoveryCompleted(to: string, { isNow }: { isNow: boolean }): Promise<Message> {
  const title = isNow ? 'You have your account back' : 'The recovery of an account is complete'
  return renderMessage(
    to,
    title,
    <MessageLayout preview="Recent changes were undone." title={title}>
      <Paragraph>
        The recent changes to the account were undone: sign-in methods that were added are removed,
        and removed ones are back. All devices were signed out, and earlier passwords and recovery
        codes no longer work.
      </Paragraph>
      {isNow ? (
        <Paragraph>
          Check your linked accounts and second factors, and change your password wherever else you
          used the old one. If it was not you who took back the account, ask an admin for help now.
        </Paragraph>
      ) : (
        <Paragraph>
          This email does not belong to the account any more, and all links about it have ended. If
          the account is yours, ask an admin for help.
        </Paragraph>
      )}
    </MessageLayout>,
  )
}
