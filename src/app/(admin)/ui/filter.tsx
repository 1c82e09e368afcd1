import clsx from 'clsx'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { controlStyle } from '@/core/ui/field'

interface FilterProps {
  label: string
  className?: string
}

/** The controls of a form that leads to an address: plain, since they must work before anything else. */
export function FilterInput({ label, className, ...input }: FilterProps & ComponentProps<'input'>) {
  const id = useId()
  return (
    <FilterFrame {...{ id, label, className }}>
      <input {...input} id={id} className={clsx(controlStyle, 'h-11 sm:h-10')} />
    </FilterFrame>
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
    <FilterFrame {...{ id, label, className }}>
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
    </FilterFrame>
  )
}

interface FrameProps {
  id: string
  label: string
  className: string | undefined
  children: ReactNode
}

function FilterFrame({ id, label, className, children }: FrameProps) {
  return (
    <div className={clsx('grid gap-1.5', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children}
    </div>
  )
}
