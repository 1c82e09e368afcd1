'use client'

import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
} from 'react'
import { Button, classNames } from '@/ui/button'
import { TextLink } from '../text'

interface FilterFormProps {
  submitLabel: string
  /** The list without filters. Undefined if no filter is set. */
  clearHref: string | undefined
  children: ReactNode
}

/** A GET form of native controls: it works without JavaScript, and its result has a URL. */
export function FilterForm({ submitLabel, clearHref, children }: FilterFormProps) {
  return (
    <search>
      <form className="filter-form">
        {children}
        <div className="filter-actions">
          <Button type="submit">{submitLabel}</Button>
          {clearHref !== undefined && (
            <TextLink href={clearHref} className="py-2 text-sm">
              Clear
            </TextLink>
          )}
        </div>
      </form>
    </search>
  )
}

interface FilterProps {
  label: string
  /** Takes two columns. */
  wide?: boolean
}

export function FilterInput({ label, wide, ...input }: FilterProps & ComponentProps<'input'>) {
  const id = useId()
  const control = useRef<HTMLInputElement>(null)
  useValueOfUrl(control, String(input.defaultValue ?? ''))
  return (
    <FilterField {...{ id, label, wide }}>
      <input {...input} ref={control} id={id} className="control" />
    </FilterField>
  )
}

interface FilterSelectProps extends FilterProps {
  name: string
  options: readonly { value: string; label: string }[]
  selected: string | undefined
}

export function FilterSelect({ label, wide, name, options, selected }: FilterSelectProps) {
  const id = useId()
  const control = useRef<HTMLSelectElement>(null)
  useValueOfUrl(control, selected ?? '')
  return (
    <FilterField {...{ id, label, wide }}>
      <select ref={control} id={id} name={name} defaultValue={selected ?? ''} className="control">
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </FilterField>
  )
}

/** A link on the page may change the filter, and the browser then keeps the form. */
function useValueOfUrl(
  control: RefObject<HTMLInputElement | HTMLSelectElement | null>,
  value: string,
): void {
  const shown = useRef(value)
  useEffect(() => {
    if (shown.current === value) return
    shown.current = value
    // Not while the user types in it.
    if (control.current && control.current !== document.activeElement) control.current.value = value
  }, [control, value])
}

interface FilterFieldProps {
  id: string
  label: string
  wide: boolean | undefined
  children: ReactNode
}

function FilterField({ id, label, wide, children }: FilterFieldProps) {
  return (
    <div className={classNames('field', wide && 'wide')}>
      <label htmlFor={id}>{label}</label>
      {children}
    </div>
  )
}
