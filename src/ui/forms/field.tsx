'use client'

import type { ActionResult } from 'plinth/universal/action-result'
import { type ComponentProps, createContext, type ReactNode, use, useId } from 'react'
import { classNames } from '@/ui/button'
import { describeControl, FieldLayout, FieldNotes } from './field-layout'

interface FieldProps {
  label: string
  name: string
  description?: ReactNode
  /** The default is the error from the form around the field. */
  error?: string | undefined
}

type Option = { value: string; label: string }

interface InputFieldProps extends FieldProps, Omit<ComponentProps<'input'>, 'name'> {
  /** At the end of the control, such as a button. */
  trailing?: ReactNode
}

/** Native elements, so that forms work before and without JavaScript. */
export function InputField({ trailing, ...props }: InputFieldProps) {
  const { layout, control, typed, rest } = useField(props)
  const { value, defaultValue, ...input } = rest
  const element = (
    <input
      {...input}
      {...control}
      {...(value === undefined ? { defaultValue: typed ?? defaultValue } : { value })}
      className="control"
    />
  )
  return (
    <FieldLayout {...layout}>
      {trailing ? (
        <div className="control-with-trailing">
          {element}
          {trailing}
        </div>
      ) : (
        element
      )}
    </FieldLayout>
  )
}

export function TextAreaField(props: FieldProps & ComponentProps<'textarea'>) {
  const { layout, control, typed, rest } = useField(props)
  const { value, defaultValue, ...textarea } = rest
  return (
    <FieldLayout {...layout}>
      <textarea
        rows={4}
        {...textarea}
        {...control}
        {...(value === undefined ? { defaultValue: keepTyped(typed ?? defaultValue) } : { value })}
        className="control"
      />
    </FieldLayout>
  )
}

/**
 * React sets a textarea to its default text when it hydrates, and text that was already typed would
 * be lost. It does not do so if the default is an array. The server needs the string, because React
 * keeps its leading line break only then.
 * @public
 */
export function keepTyped(text: ComponentProps<'textarea'>['defaultValue']) {
  return typeof window === 'undefined' ? text : [String(text ?? '')]
}

interface SelectFieldProps extends FieldProps, Omit<ComponentProps<'select'>, 'name' | 'children'> {
  options: readonly Option[]
  defaultValue?: string | undefined
}

export function SelectField({ options, ...props }: SelectFieldProps) {
  const { layout, control, typed, rest } = useField(props)
  const selected = typed ?? rest.defaultValue
  return (
    <FieldLayout {...layout}>
      <select
        // Remounted if the value changes: React resets a sent form to the value it was mounted with.
        key={selected}
        {...rest}
        {...control}
        defaultValue={selected}
        className="control"
      >
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </FieldLayout>
  )
}

type CheckboxFieldProps = FieldProps & Omit<ComponentProps<'input'>, 'type' | 'value' | 'checked'>

/**
 * Sends `on` or `off`, which an action reads as a boolean. An unchecked box alone sends nothing, and
 * the form could not tell it from a field that is not kept.
 */
export function CheckboxField(props: CheckboxFieldProps) {
  const { layout, control, typed, rest } = useField(props)
  const { defaultChecked, ...input } = rest
  return (
    <div className={classNames('field', layout.className)}>
      <label className="checkbox">
        <input type="hidden" name={input.name} value="off" />
        <input
          {...input}
          {...control}
          type="checkbox"
          defaultChecked={typed === undefined ? defaultChecked : typed === 'on'}
        />
        {layout.label}
      </label>
      <FieldNotes {...layout} />
    </div>
  )
}

interface ControlProps extends FieldProps {
  id?: string | undefined
  required?: boolean | undefined
  autoFocus?: boolean | undefined
  className?: string | undefined
}

/** The field's own props win over the result of the form, except for the text that was typed. */
function useField<Props extends ControlProps>(props: Props) {
  const { label, description, className, error: ownError, ...rest } = props
  const { error: formError, typed, autoFocus } = useFieldState(props.name)
  const generatedId = useId()
  const id = props.id ?? generatedId
  const error = ownError ?? formError
  return {
    layout: { id, label, description, error, className, required: props.required },
    control: {
      ...describeControl({ id, description, error }),
      autoFocus: autoFocus ?? props.autoFocus,
    },
    typed,
    rest,
  }
}

export type FormResult = ActionResult<unknown> | undefined

export const FormContext = createContext<FormResult>(undefined)

/** The result of the form around a component. Undefined before it was sent. */
export function useFormResult(): FormResult {
  return use(FormContext)
}

/** Errors that a field of the form shows. Each is added when the field is rendered. */
export const claimedErrors = new WeakSet<object>()

/** The state of a field of this name after the form was sent. */
export function useFieldState(name: string) {
  const result = useFormResult()
  const { errors = [], typed } = result?.ok === false ? result : {}
  const [firstError] = errors
  const error = errors.find(({ field }) => field === name)
  if (error) claimedErrors.add(error)
  return {
    error: error?.message,
    typed: typed?.[name],
    /** Focuses the first invalid field without JavaScript. Undefined if there is none. */
    autoFocus: firstError && firstError.field === name,
  }
}
