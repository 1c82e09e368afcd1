import clsx from 'clsx'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { controlStyle } from '@/core/ui/field'

interface FilterProps {
  label: string
  className?: string
}

/** Native controls: a GET form must work without JavaScript. */
export function FilterInput({ label, className, ...input }: FilterProps & ComponentProps<'input'>) {
  const id = useId()
  return (
    <FilterField {...{ id, label, className }}>
      <input {...input} id={id} className={clsx(controlStyle, 'h-11 sm:h-10')} />
    </FilterField>
  )
}

interface FilterSelectProps extends FilterProps {
  name: string
  options: readonly { value: string; label: string }[]
  chosen: string | undefined
}

export function FilterSelect({ label, className, name, options, chosen }: FilterSelectProps) {
  const id = useId()
  return (
    <FilterField {...{ id, label, className }}>
      <select
        id={id}
        name={name}
        defaultValue={chosen ?? ''}
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
  className: string | undefined
  children: ReactNode
}

function FilterField({ id, label, className, children }: FilterFieldProps) {
  return (
    <div className={clsx('grid gap-1.5', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children}
    </div>
  )
}
