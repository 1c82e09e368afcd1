import clsx from 'clsx'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

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
    <div className={clsx('grid gap-1.5', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
        {!required && <span className="ml-1.5 font-normal text-muted">optional</span>}
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
        <p id={`${id}-description`} className="text-xs text-muted">
          {description}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="flex gap-1.5 text-xs font-medium text-danger">
          <CircleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden="true" />
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

export const controlStyle =
  'w-full rounded-md border border-edge bg-surface px-3 text-base text-ink placeholder:text-muted disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-danger sm:text-sm'
