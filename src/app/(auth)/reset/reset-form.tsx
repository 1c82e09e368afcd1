import { Form } from '@/core/ui/form'
import { SubmitButton } from '@/core/ui/submit-button'
import { LocalTime } from '@/core/ui/text'
import { EmailField } from '../email-field'
import { NewPasswordField } from '../new-password-field'
import { resetPassword } from './actions'

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

export function ResetForm({ fields, email, accounts, keepByDefault }: ResetFormProps) {
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
