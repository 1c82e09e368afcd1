'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef } from 'react'

const delayMs = 250

/**
 * Inside a GET form: shows the result while the user types. The URL is replaced, and the focus stays.
 * Without JavaScript the form's button does it.
 */
export function LiveSearch() {
  const router = useRouter()
  const marker = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const form = marker.current?.closest('form')
    if (!form) return
    let timer: ReturnType<typeof setTimeout>
    const cancel = () => clearTimeout(timer)
    const search = () => router.replace(urlOf(form), { scroll: false })
    const restart = () => {
      cancel()
      timer = setTimeout(search, delayMs)
    }
    form.addEventListener('input', restart)
    form.addEventListener('submit', cancel)
    return () => {
      cancel()
      form.removeEventListener('input', restart)
      form.removeEventListener('submit', cancel)
    }
  }, [router])
  return <span ref={marker} hidden />
}

/** Where the form leads, without its empty fields. */
function urlOf(form: HTMLFormElement): string {
  const fields = [...new FormData(form)].filter(([, value]) => value !== '') as [string, string][]
  // A field may have the name of a property.
  const { pathname } = new URL(form.getAttribute('action') ?? '', location.href)
  return fields.length > 0 ? `${pathname}?${new URLSearchParams(fields)}` : pathname
}
