import { TextAreaField } from './field'
import { StatusPage } from './status-page'

/** Instead of a page whose form was sent without JavaScript after the session had ended. */
export function UnsavedText({ fields }: { fields: Readonly<Record<string, string>> }) {
  return (
    <StatusPage
      label="Signed out"
      title="Your session has ended."
      actions={
        <a href="/sign-in" target="_blank" className="button" rel="noopener">
          Sign in in a new tab
        </a>
      }
    >
      <p>Nothing was saved. Sign in in a new tab, then come back here, go back and save again.</p>
      <div className="mt-6 grid gap-5 text-left">
        {Object.entries(fields).map(([name, text]) => (
          <TextAreaField key={name} label={name} name={name} required readOnly value={text} />
        ))}
      </div>
    </StatusPage>
  )
}
