import { useEffect, useRef } from 'react'
import { Differences } from './differences'

type Fields = Readonly<Record<string, string>>

export default function BothVersions({ saved, typed }: { saved: Fields; typed: Fields }) {
  const explanation = useRef<HTMLDivElement>(null)
  // It is above the text, far from the button that was pressed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each conflict counts
  useEffect(() => explanation.current?.focus(), [saved])
  return (
    <div ref={explanation} tabIndex={-1} className="text-sm outline-none">
      <p>
        Your text is unchanged below. Copy what you need from the saved version, then save again.
      </p>
      <Differences saved={saved} typed={typed} />
      <details className="mt-3">
        <summary className="cursor-pointer font-medium">View the saved version</summary>
        <p dir="auto" className="mt-3 font-medium break-words">
          {saved.title}
        </p>
        <pre
          dir="auto"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll what has the focus
          tabIndex={0}
          className="mt-2 max-h-80 overflow-auto font-mono text-xs break-words whitespace-pre-wrap"
        >
          {saved.body}
        </pre>
      </details>
    </div>
  )
}
