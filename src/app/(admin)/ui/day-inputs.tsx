'use client'

import { useEffect, useState } from 'react'
import { FilterInput } from '@/ui/forms/filter-form'

interface DayInputsProps {
  from: string | undefined
  to: string | undefined
  /** Undefined if none is known; the next search is in that of the browser. */
  timeZone: string | undefined
}

/** Days in the time zone of the admin; without JavaScript in UTC. */
export function DayInputs({ from, to, timeZone }: DayInputsProps) {
  const [zone, setZone] = useState(timeZone ?? 'UTC')
  useEffect(() => {
    setZone(timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone)
  }, [timeZone])
  return (
    <>
      <FilterInput label={`From (${zone})`} name="from" type="date" defaultValue={from} />
      <FilterInput label={`To (${zone})`} name="to" type="date" defaultValue={to} />
      <input type="hidden" name="timeZone" value={zone} />
    </>
  )
}
