'use client'

import type { FormAction } from 'plinth/universal/action-result'
import { useState } from 'react'
import { InputField, SelectField } from '@/ui/forms/field'
import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'

interface PreferencesFormProps {
  save: FormAction
  timeZone: string
  theme: string
}

const themeOptions = [
  { value: '', label: 'Choose on each device' },
  { value: 'system', label: 'Same as the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

export function PreferencesForm({ save, timeZone, theme }: PreferencesFormProps) {
  return (
    <Form action={save} permalink="/account" className="max-w-md">
      <TimeZoneField defaultValue={timeZone} />
      <SelectField
        label="Theme"
        name="theme"
        required
        options={themeOptions}
        defaultValue={theme}
      />
      <SubmitButton>Save preferences</SubmitButton>
    </Form>
  )
}

/** The list is long, and every browser has it: it is made when the field is used. */
function TimeZoneField({ defaultValue }: { defaultValue: string }) {
  const [used, setUsed] = useState(false)
  return (
    <>
      <InputField
        label="Time zone"
        name="timeZone"
        list="time-zones"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="Europe/Berlin"
        defaultValue={defaultValue}
        description="For dates and times. Empty: that of your browser."
        onFocus={() => setUsed(true)}
      />
      {used && (
        <datalist id="time-zones">
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      )}
    </>
  )
}
