import clsx from 'clsx'
import { CircleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'

interface Labelled {
  label: string
  name: string
  description?: ReactNode
  error?: string | undefined
}

/** Plain labels and inputs: they work in a form before, and without, JavaScript. */
export function InputField({
  label,
  description,
  error,
  className,
  ...input
}: Labelled & ComponentProps<'input'>) {
  const generatedId = useId()
  const id = input.id ?? generatedId
  return (
    <FieldFrame {...{ id, label, description, error, className }} required={input.required}>
      <input
        {...input}
        {...describeControl({ id, description, error })}
        className={clsx(
          controlStyle,
          'h-11 sm:h-10',
          input.readOnly && 'read-only:border-line read-only:bg-sunken',
        )}
      />
    </FieldFrame>
  )
}

export function TextAreaField({
  label,
  description,
  error,
  className,
  ...textarea
}: Labelled & ComponentProps<'textarea'>) {
  const generatedId = useId()
  const id = textarea.id ?? generatedId
  return (
    <FieldFrame {...{ id, label, description, error, className }} required={textarea.required}>
      <textarea
        rows={4}
        {...textarea}
        {...describeControl({ id, description, error })}
        className={clsx(controlStyle, 'py-2.5')}
      />
    </FieldFrame>
  )
}

interface FieldFrameProps extends Omit<Labelled, 'name'> {
  id: string
  required?: boolean | undefined
  className?: string | undefined
  children: ReactNode
}

function FieldFrame(props: FieldFrameProps) {
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

/** The error comes first: it is what the person has to hear. */
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
