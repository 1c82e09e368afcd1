'use client'

import { useEffect, useId, useState } from 'react'
import type { ActionResult } from '@/core/guard/action-result'
import { FilterInput } from './filter'

type Found = { users: readonly { id: string; email: string; name: string }[] }

interface PersonInputProps {
  suggest: (wanted: { query: string; limit: number }) => Promise<ActionResult<Found>>
  person: string | undefined
  className?: string
}

/** An address or an id, typed or picked from those that fit. Without JavaScript it is typed. */
export function PersonInput({ suggest, person, className }: PersonInputProps) {
  const listId = useId()
  const [typed, setTyped] = useState('')
  const [found, setFound] = useState<Found['users']>([])
  useEffect(() => {
    if (typed.trim().length < 2) return
    let outdated = false
    const soon = setTimeout(async () => {
      const result = await suggest({ query: typed, limit: 8 })
      if (!outdated && result.ok) setFound(result.data.users)
    }, 200)
    return () => {
      outdated = true
      clearTimeout(soon)
    }
  }, [typed, suggest])
  return (
    <>
      <FilterInput
        label="Person (e-mail or id)"
        name="person"
        maxLength={300}
        defaultValue={person}
        list={listId}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
        {...(className && { className })}
      />
      <datalist id={listId}>
        {found.map(({ id, email, name }) => (
          <option key={id} value={email}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  )
}
