'use client'

import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { SearchGroup } from '../search-result'
import { useSearch } from './use-search'

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
