import { StatusPage } from '../status-page'
import { labelOf, rowsOf } from './field-label'

interface UnsavedTextProps {
  fields: Readonly<Record<string, string>>
}

/** Instead of a page whose form was sent without JavaScript after the session had ended. */
export function UnsavedText({ fields }: UnsavedTextProps) {
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
      <div className="form mt-6 text-left">
        {Object.entries(fields).map(([name, text]) => (
          <div key={name} className="field">
            <label htmlFor={`typed-${name}`}>{labelOf(name)}</label>
            <textarea
              id={`typed-${name}`}
              className="control"
              rows={rowsOf(text)}
              dir="auto"
              readOnly
              value={text}
            />
          </div>
        ))}
      </div>
    </StatusPage>
  )
}
