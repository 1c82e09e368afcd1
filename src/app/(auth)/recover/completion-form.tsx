import { describeMethod } from 'plinth/recovery/describe-change'
import type { CompletionChoices } from 'plinth/recovery/view'
import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'
import { EmailField, NewPasswordField } from '../link-page'
import { completeRecovery } from './actions'

interface CompletionFormProps {
  token: string
  choices: CompletionChoices
}

export function CompletionForm({ token, choices }: CompletionFormProps) {
  const { needsPassword, emails, additions } = choices
  const [email = ''] = emails
  return (
    <Form action={completeRecovery} fields={{ token }} className="mt-8">
      {emails.length === 1 ? <EmailField email={email} /> : <EmailChoice emails={emails} />}
      {additions.length > 0 && <Additions additions={additions} />}
      {needsPassword && <NewPasswordField email={email} label="New password" />}
      <SubmitButton className="w-full">Take back my account</SubmitButton>
    </Form>
  )
}

function EmailChoice({ emails }: { emails: readonly string[] }) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-sm font-medium">Email of the account</legend>
      {emails.map((email, index) => (
        <label key={email} className="flex items-center gap-2.5 py-1 text-sm">
          <input
            type="radio"
            name="email"
            value={email}
            defaultChecked={index === 0}
            className="size-4.5 shrink-0"
          />
          <bdi className="break-words">{email}</bdi>
        </label>
      ))}
    </fieldset>
  )
}

function Additions({ additions }: Pick<CompletionChoices, 'additions'>) {
  return (
    <fieldset className="grid gap-2 border-t border-line pt-5">
      <legend className="float-left mb-1 text-sm font-medium">Added since</legend>
      <p className="clear-both text-sm text-muted">
        Keep only what you added yourself. The rest is removed.
      </p>
      {additions.map((method) => (
        <label key={method.id} className="flex items-center gap-2.5 py-1 text-sm">
          <input
            type="checkbox"
            name="keep"
            value={`${method.kind} ${method.id}`}
            className="size-4.5 shrink-0"
          />
          <span>Keep {describeMethod(method)}</span>
        </label>
      ))}
    </fieldset>
  )
}
