'use client'

import type { ActionResult } from 'plinth/universal/action-result'
import { useEffect, useId, useState } from 'react'
import { FilterInput } from '@/ui/forms/filter-form'

type Suggestions = { users: readonly { id: string; email: string; name: string }[] }

interface UserInputProps {
  suggest: (options: { query: string; limit: number }) => Promise<ActionResult<Suggestions>>
  user: string | undefined
}

/** A name, an email or an id, with suggestions while the admin types. */
export function UserInput({ suggest, user }: UserInputProps) {
  const listId = useId()
  const [typed, setTyped] = useState('')
  const [suggestions, setSuggestions] = useState<Suggestions['users']>([])
  useEffect(() => {
    if (typed.trim().length < 2) return
    let outdated = false
    const timer = setTimeout(async () => {
      const result = await suggest({ query: typed, limit: 8 })
      if (!outdated && result.ok) setSuggestions(result.data.users)
    }, 200)
    return () => {
      outdated = true
      clearTimeout(timer)
    }
  }, [typed, suggest])
  return (
    <>
      <FilterInput
        label="User (name, email or ID)"
        name="user"
        maxLength={300}
        defaultValue={user}
        list={listId}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
      />
      <datalist id={listId}>
        {suggestions.map(({ id, email, name }) => (
          <option key={id} value={email}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  )
}
