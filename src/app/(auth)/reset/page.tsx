import type { Metadata } from 'next'
import { listLinkedAccounts } from 'plinth/auth/accounts/linked-accounts'
import { findLink } from 'plinth/auth/accounts/links'
import { providerName } from 'plinth/auth/oauth/configured-providers'
import { hasPassword } from 'plinth/auth/passwords/user-password'
import { page } from 'plinth/guard/page'
import { anyone } from 'plinth/guard/policy'
import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'
import { LocalTime } from '@/ui/text'
import { resetPassword } from '../actions'
import { callbackFields, withCallbackUrl } from '../callback-url'
import { EmailField, InvalidLink, linkPage, linkQuery, NewPasswordField } from '../link-page'

export const metadata: Metadata = { ...linkPage, title: 'Choose a new password' }

/** Does not use up the link: mail scanners open links too. */
export default page(
  {
    path: '/reset',
    name: 'view_reset',
    authorize: anyone,
    query: linkQuery,
    load: ({ query: { token = '' } }) => findReset(token),
  },
  ({ query: { token = '', callbackUrl }, data: reset }) => {
    const newLink = { href: withCallbackUrl('/forgot', callbackUrl), label: 'Get a new link' }
    if (!reset) return <InvalidLink next={newLink} />
    return <ResetForm fields={{ token, ...callbackFields(callbackUrl) }} {...reset} />
  },
)

async function findReset(token: string) {
  const link = await findLink('reset_password', token)
  if (!link?.userId) return undefined
  const [linked, isReset] = await Promise.all([
    listLinkedAccounts(link.userId),
    hasPassword(link.userId),
  ])
  const accounts = linked.map(({ provider, linkedAt }) => ({
    provider,
    name: providerName(provider),
    linkedAt,
  }))
  // A user without a password wants one besides the account that they sign in with.
  return { email: link.email, accounts, keepByDefault: !isReset }
}

interface LinkedAccount {
  provider: string
  name: string
  linkedAt: Date
}

interface ResetFormProps {
  /** The token, and where to go afterwards. */
  fields: Readonly<Record<string, string>>
  email: string
  accounts: readonly LinkedAccount[]
  keepByDefault: boolean
}

function ResetForm({ fields, email, accounts, keepByDefault }: ResetFormProps) {
  return (
    <>
      <h1 className="text-2xl">Choose a new password</h1>
      <p className="mt-3 text-muted">This signs you in on this device and out on all others.</p>
      <Form action={resetPassword} fields={fields} className="mt-8">
        <EmailField email={email} />
        <NewPasswordField email={email} />
        {accounts.length > 0 && (
          <LinkedAccounts accounts={accounts} keepByDefault={keepByDefault} />
        )}
        <SubmitButton className="mt-1 w-full">Set password</SubmitButton>
      </Form>
    </>
  )
}

/** The owner chooses which accounts stay: someone else may have linked one. */
function LinkedAccounts({
  accounts,
  keepByDefault,
}: Pick<ResetFormProps, 'accounts' | 'keepByDefault'>) {
  return (
    <fieldset className="grid gap-2 border-t border-line pt-5">
      <legend className="float-left mb-1 text-sm font-medium">Linked accounts</legend>
      <p className="clear-both text-sm text-muted">
        Keep only accounts that you recognize. The others can no longer be used to sign in.
      </p>
      {accounts.map(({ provider, name, linkedAt }) => (
        <label key={provider} className="flex items-center gap-2.5 py-1 text-sm">
          <input
            type="checkbox"
            name="keep"
            value={provider}
            defaultChecked={keepByDefault}
            className="size-4.5 shrink-0"
          />
          <span>
            Keep {name}{' '}
            <span className="text-muted">
              (linked <LocalTime at={linkedAt} />)
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
