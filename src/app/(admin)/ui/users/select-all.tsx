'use client'

import { useEffect, useState } from 'react'

/** Checks all boxes of this name in the form around it. Useless without JavaScript, so not there. */
export function SelectAll({ name }: { name: string }) {
  const [hydrated, setHydrated] = useState(false)
  useEffect(() => setHydrated(true), [])
  if (!hydrated) return null
  return (
    <label className="checkbox mb-3">
      <input
        type="checkbox"
        onChange={({ currentTarget: { form, checked } }) => {
          const boxes = form?.querySelectorAll<HTMLInputElement>(`input[name="${name}"]`) ?? []
          for (const box of boxes) box.checked = checked
        }}
      />
      Select all on this page
    </label>
  )
}
