import clsx from 'clsx'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { Button } from './button'
import { controlStyle } from './field-layout'
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
    <search className="mb-6 block">
      <form className="grid grid-cols-2 items-end gap-3 sm:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]">
        {children}
        <div className="col-span-2 flex items-center gap-4 sm:col-span-1">
          <Button type="submit" className="max-sm:grow">
            {submitLabel}
          </Button>
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
      <input {...input} id={id} className={clsx(controlStyle, 'h-11 sm:h-10')} />
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
      <select
        id={id}
        name={name}
        defaultValue={selected ?? ''}
        className={clsx(controlStyle, 'h-11 sm:h-10')}
      >
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
    <div className={clsx('grid gap-1.5', wide && 'col-span-2')}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children}
    </div>
  )
}
