import 'server-only'
import type { ChangeCode } from 'plinth/mail/account-messages'
import type { Message } from 'plinth/mail/deliver'
import { LinkButton, MessageLayout, Paragraph, renderMessage, SmallPrint } from './message-layout'

export function verifyEmail(to: string, link: string): Promise<Message> {
  return renderMessage(
    to,
    'Finish creating your account',
    <MessageLayout preview="Choose your name and a password." title="Finish creating your account">
      <Paragraph>
        Choose your name and a password to finish. The link works once and expires in one day.
      </Paragraph>
      <LinkButton href={link}>Create account</LinkButton>
      <SmallPrint>
        If you did not request this, you can ignore this email. No account is created unless the
        link is used.
      </SmallPrint>
    </MessageLayout>,
  )
}

export function alreadyRegistered(to: string, origin: string, query = ''): Promise<Message> {
  return renderMessage(
    to,
    'You already have an account',
    <MessageLayout preview="Sign in, or reset your password." title="You already have an account">
      <Paragraph>
        We received a request to create an account with this email, but an account already exists.
        Sign in, or reset your password if you forgot it.
      </Paragraph>
      <LinkButton href={`${origin}/sign-in${query}`}>Sign in</LinkButton>
      <Paragraph>Reset your password: {`${origin}/forgot${query}`}</Paragraph>
      <SmallPrint>
        If you did not request this, you can ignore this email. Nothing has changed.
      </SmallPrint>
    </MessageLayout>,
  )
}

export function invitation(to: string, link: string): Promise<Message> {
  return renderMessage(
    to,
    'You have been invited',
    <MessageLayout preview="Choose your name and a password." title="You have been invited">
      <Paragraph>
        You have been invited to create an account. Choose your name and a password. The link works
        once and expires in seven days.
      </Paragraph>
      <LinkButton href={link}>Create account</LinkButton>
      <SmallPrint>If you did not expect this invitation, you can ignore this email.</SmallPrint>
    </MessageLayout>,
  )
}

export function resetPassword(to: string, link: string): Promise<Message> {
  return renderMessage(
    to,
    'Reset your password',
    <MessageLayout preview="The link expires in one hour." title="Reset your password">
      <Paragraph>
        We received a request to reset your password. The link works once and expires in one hour.
        Using it signs you out on all your devices.
      </Paragraph>
      <LinkButton href={link}>Reset password</LinkButton>
      <SmallPrint>
        If you did not request this, you can ignore this email. Your password has not changed.
      </SmallPrint>
    </MessageLayout>,
  )
}

export function confirmChange(to: string, given: ChangeCode): Promise<Message> {
  const { code, what, minutes, resetUrl } = given
  const title = 'Your code to confirm a change'
  return renderMessage(
    to,
    title,
    <MessageLayout preview={`The code expires in ${minutes} minutes.`} title={title}>
      <Paragraph>
        You are about to {what}. Enter this code where you were asked for it: {code}
      </Paragraph>
      <Paragraph>It works once and expires in {minutes} minutes.</Paragraph>
      <SmallPrint>
        Do not give the code to anyone. If this was not you, someone else is signed in to your
        account. Nothing has changed yet. To sign them out, set a new password: {resetUrl}
      </SmallPrint>
    </MessageLayout>,
  )
}

type Notice = {
  title: string
  text: string
  /** To the page where the user can act on it. */
  link: { href: string; label: string }
}

/** The template of every notice about a change to an account. */
export function accountNotice(to: string, { title, text, link }: Notice): Promise<Message> {
  return renderMessage(
    to,
    title,
    <MessageLayout preview="If this was not you, secure your account." title={title}>
      <Paragraph>{text}</Paragraph>
      <Paragraph>If this was not you, secure your account now:</Paragraph>
      <LinkButton href={link.href}>{link.label}</LinkButton>
    </MessageLayout>,
  )
}

/** To someone who asked for a new password while the account is frozen. */
export function frozenNotice(to: string, link: string): Promise<Message> {
  const title = 'Your account is frozen'
  return renderMessage(
    to,
    title,
    <MessageLayout preview="No new password can be set now." title={title}>
      <Paragraph>
        We received a request to reset your password. The recovery of the account is open, so no one
        can sign in or set a new password until it ends.
      </Paragraph>
      <Paragraph>The page of the recovery shows how far it is and what you can do:</Paragraph>
      <LinkButton href={link}>Open the recovery</LinkButton>
      <SmallPrint>
        If you did not request this, you can ignore this email. Nothing has changed.
      </SmallPrint>
    </MessageLayout>,
  )
}

/** To someone who wants to use an email that another account has left. */
export function emailReserved(to: string): Promise<Message> {
  const title = 'This email cannot be used yet'
  return renderMessage(
    to,
    title,
    <MessageLayout preview="An account had it until recently." title={title}>
      <Paragraph>
        We received a request to use this email for an account. Another account had it until
        recently and may still come back to it, so nothing has changed.
      </Paragraph>
      <Paragraph>
        If that was your account and you did not change it, use “This was not me” in our mail about
        the change. Otherwise use another email, or try again in a few weeks.
      </Paragraph>
      <SmallPrint>If you did not request this, you can ignore this email.</SmallPrint>
    </MessageLayout>,
  )
}
