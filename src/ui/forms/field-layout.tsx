import type { ReactNode } from 'react'
import { classNames } from '@/ui/button'
import { Icon } from '../text'

interface Notes {
  id: string
  description?: ReactNode
  error?: string | undefined
}

interface FieldLayoutProps extends Notes {
  label: string
  required?: boolean | undefined
  className?: string | undefined
  children: ReactNode
}

export function FieldLayout(props: FieldLayoutProps) {
  const { id, label, description, error, required, className, children } = props
  return (
    <div className={classNames('field', className)}>
      <label htmlFor={id}>
        {label}
        {!required && <span className="field-optional">optional</span>}
      </label>
      {children}
      <FieldNotes {...{ id, description, error }} />
    </div>
  )
}

export function FieldNotes({ id, description, error }: Notes) {
  return (
    <>
      {description && (
        <p id={`${id}-description`} className="field-description">
          {description}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="field-error">
          <Icon name="alert" />
          {error}
        </p>
      )}
    </>
  )
}

/** Screen readers announce the error before the description. */
export function describeControl({ id, description, error }: Notes) {
  const describedBy = [error && `${id}-error`, description && `${id}-description`]
  return {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': describedBy.filter(Boolean).join(' ') || undefined,
  }
}

export function HiddenFields({ fields }: { fields: Readonly<Record<string, string>> }) {
  return Object.entries(fields).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ))
}
