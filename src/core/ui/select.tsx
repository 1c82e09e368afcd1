'use client'

import { CSPProvider } from '@base-ui/react/csp-provider'
import { Select as Base } from '@base-ui/react/select'
import clsx from 'clsx'
import { Check, ChevronsUpDown } from 'lucide-react'
import { useId, useSyncExternalStore } from 'react'
import { controlStyle, describeControl, FieldNotes } from './field'
import { popupItemStyle, popupStyle } from './popup-style'

interface Option {
  value: string
  label: string
}

interface SelectProps {
  label: string
  name: string
  options: readonly Option[]
  defaultValue?: string
  placeholder?: string
  description?: string
  error?: string | undefined
  disabled?: boolean
  onChange?: (value: string) => void
}

export function Select(props: SelectProps) {
  const { label, name, options, defaultValue, placeholder, disabled = false, onChange } = props
  const id = useId()
  const hydrated = useHydrated()
  const notes = { id, description: props.description, error: props.error }
  return (
    // Base UI would put a <style> element into the page, which the Content-Security-Policy refuses.
    <CSPProvider disableStyleElements>
      <div className="grid gap-1.5">
        <Base.Root
          items={options}
          defaultValue={defaultValue ?? null}
          disabled={disabled}
          onValueChange={(value) => value !== null && onChange?.(value)}
          // Named only once it works, so that without JavaScript the plain select below is the one sent.
          {...(hydrated && { name })}
        >
          <Base.Label className="text-sm font-medium">{label}</Base.Label>
          <Base.Trigger
            {...describeControl(notes)}
            className={clsx(
              controlStyle,
              'flex h-11 cursor-default items-center justify-between gap-3 text-left sm:h-10 noscript:hidden',
            )}
          >
            <Base.Value
              placeholder={placeholder ?? 'Choose'}
              className="truncate data-placeholder:text-muted"
            />
            <Base.Icon className="shrink-0 text-muted">
              <ChevronsUpDown className="size-4" aria-hidden="true" />
            </Base.Icon>
          </Base.Trigger>
          <Base.Portal>
            <Base.Positioner
              sideOffset={6}
              alignItemWithTrigger={false}
              className="z-40 outline-none"
            >
              <Base.Popup className={popupStyle}>
                <Base.List>
                  {options.map((option) => (
                    <Base.Item key={option.value} value={option.value} className={popupItemStyle}>
                      <Base.ItemText className="flex-1">{option.label}</Base.ItemText>
                      <Base.ItemIndicator className="text-accent">
                        <Check className="size-4" aria-hidden="true" />
                      </Base.ItemIndicator>
                    </Base.Item>
                  ))}
                </Base.List>
              </Base.Popup>
            </Base.Positioner>
          </Base.Portal>
        </Base.Root>
        <noscript>
          <PlainSelect {...props} />
        </noscript>
        <FieldNotes {...notes} />
      </div>
    </CSPProvider>
  )
}

function PlainSelect({ label, name, options, defaultValue, placeholder, disabled }: SelectProps) {
  return (
    <select
      aria-label={label}
      name={name}
      defaultValue={defaultValue ?? ''}
      disabled={disabled}
      className={clsx(controlStyle, 'h-11 sm:h-10')}
    >
      {defaultValue === undefined && <option value="">{placeholder ?? 'Choose'}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}

function useHydrated() {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  )
}
