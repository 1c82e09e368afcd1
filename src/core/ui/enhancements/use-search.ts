'use client'

import { useEffect, useState } from 'react'
import type { SearchGroup } from '../search-result'

type State = { groups: readonly SearchGroup[]; message: string }

/** The user is still typing until they stop for this long. */
const delayMs = 120

/** The results stay while those for the next text are fetched. */
export function useSearch(text: string): State & { pending: boolean } {
  const [state, setState] = useState<State>({ groups: [], message: '' })
  const [shown, setShown] = useState<string>()
  useEffect(() => {
    const abort = new AbortController()
    const timer = setTimeout(
      async () => {
        const next = await search(text, abort.signal)
        if (abort.signal.aborted) return
        setState(next)
        setShown(text)
      },
      text === '' ? 0 : delayMs,
    )
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [text])
  return { ...state, pending: shown !== text }
}

async function search(text: string, signal: AbortSignal): Promise<State> {
  try {
    const query = new URLSearchParams({ query: text.slice(0, 100) })
    const response = await fetch(`/api/search?${query}`, { signal })
    const body = await response.json()
    if (response.status === 401) return failed('Your session has ended. Sign in and try again.')
    if (!response.ok) return failed(body.detail)
    const { groups } = body as { groups: SearchGroup[] }
    return { groups, message: groups.length === 0 ? `No results for “${text}”.` : '' }
  } catch {
    return failed('Search is unavailable. Try again in a moment.')
  }
}

function failed(message: string): State {
  return { groups: [], message }
}
