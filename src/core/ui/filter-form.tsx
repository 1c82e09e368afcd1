'use client'

import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from '@/core/ui/class-names'
import { Button } from './button'
import { TextLink } from './text-link'

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
  return (
    <FilterField {...{ id, label, wide }}>
      <input {...input} id={id} className="control" />
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
  return (
    <FilterField {...{ id, label, wide }}>
      <select id={id} name={name} defaultValue={selected ?? ''} className="control">
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </FilterField>
  )
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
