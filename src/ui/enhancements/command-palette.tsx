'use client'

import type { SearchGroup } from 'plinth/universal/search-results'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'

const listId = 'palette-results'

/** A modal dialog that finds pages and records. */
export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const { groups, message, pending } = useSearch(text)
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const count = groups.flatMap(({ results }) => results).length
  const current = Math.min(active, count - 1)

  const move = (steps: number) => {
    const next = (current + steps + count) % count
    setActive(next)
    document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (count === 0) return
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter') document.getElementById(optionId(current))?.click()
    else return
    event.preventDefault()
  }
  const close = () => dialog.current?.close()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog.
    <dialog
      ref={dialog}
      aria-label="Search"
      className="palette"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <input
        role="combobox"
        aria-label="Search pages and records"
        aria-expanded={count > 0}
        aria-controls={listId}
        aria-activedescendant={count > 0 ? optionId(current) : undefined}
        placeholder="Search"
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <p role="status">{message}</p>
      <Results groups={groups} current={current} pending={pending} onOpen={close} />
    </dialog>
  )
}

interface ResultsProps {
  groups: readonly SearchGroup[]
  current: number
  pending: boolean
  onOpen: () => void
}

function Results({ groups, current, pending, onOpen }: ResultsProps) {
  let index = -1
  return (
    <div id={listId} role="listbox" aria-label="Results" aria-busy={pending}>
      {groups.map(({ title, results }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox.
        <div key={title} role="group" aria-label={title}>
          <p aria-hidden="true">{title}</p>
          {results.map(({ href, label, detail }) => {
            index += 1
            return (
              <a
                key={`${label} ${href}`}
                id={optionId(index)}
                role="option"
                aria-selected={index === current}
                tabIndex={-1}
                href={href}
                onClick={onOpen}
              >
                <bdi>{label}</bdi>
                {detail && <small dir="auto">{detail}</small>}
              </a>
            )
          })}
        </div>
      ))}
    </div>
  )
}

function optionId(index: number): string {
  return `palette-option-${index}`
}

type State = { groups: readonly SearchGroup[]; message: string }

/** The user is still typing until they stop for this long. */
const delayMs = 120

/** The results stay while those for the next text are fetched. */
function useSearch(text: string): State & { pending: boolean } {
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
