import clsx from 'clsx'
import { CircleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'

interface FieldProps {
  label: string
  name: string
  description?: ReactNode
  error?: string | undefined
}

/** Native elements, so that forms work before and without JavaScript. */
export function InputField({
  label,
  description,
  error,
  className,
  ...input
}: FieldProps & ComponentProps<'input'>) {
  const generatedId = useId()
  const id = input.id ?? generatedId
  return (
    <FieldLayout {...{ id, label, description, error, className }} required={input.required}>
      <input
        {...input}
        {...describeControl({ id, description, error })}
        className={clsx(
          controlStyle,
          'h-11 sm:h-10',
          input.readOnly && 'read-only:border-line read-only:bg-sunken',
        )}
      />
    </FieldLayout>
  )
}

export function TextAreaField({
  label,
  description,
  error,
  className,
  ...textarea
}: FieldProps & ComponentProps<'textarea'>) {
  const generatedId = useId()
  const id = textarea.id ?? generatedId
  return (
    <FieldLayout {...{ id, label, description, error, className }} required={textarea.required}>
      <textarea
        rows={4}
        {...textarea}
        {...describeControl({ id, description, error })}
        className={clsx(controlStyle, 'py-2.5')}
      />
    </FieldLayout>
  )
}

interface FieldLayoutProps extends Omit<FieldProps, 'name'> {
  id: string
  required?: boolean | undefined
  className?: string | undefined
  children: ReactNode
}

function FieldLayout(props: FieldLayoutProps) {
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

interface Notes {
  id: string
  description?: ReactNode
  error?: string | undefined
}

function FieldNotes({ id, description, error }: Notes) {
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
function describeControl({ id, description, error }: Notes) {
  const describedBy = [error && `${id}-error`, description && `${id}-description`]
  return {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': describedBy.filter(Boolean).join(' ') || undefined,
  }
}

export const controlStyle =
  'w-full rounded-md border border-edge bg-surface px-3 text-base text-ink placeholder:text-muted disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-danger sm:text-sm'
