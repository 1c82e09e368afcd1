'use client'

import { type ReactNode, useSyncExternalStore } from 'react'
import { Notice, TextLink } from '@/ui/text'

type Support = 'supported' | 'unsupported' | 'elsewhere'

/** Undefined until the page runs in the browser. Passkeys belong to one origin: that of AUTH_URL. */
export function usePasskeySupport(origin: string): Support | undefined {
  return useSyncExternalStore(
    () => () => {},
    () => supportAt(origin),
    () => undefined,
  )
}

function supportAt(origin: string): Support {
  if (location.origin !== origin) return 'elsewhere'
  return 'PublicKeyCredential' in window ? 'supported' : 'unsupported'
}

interface PasskeysOnlyProps {
  origin: string
  children: ReactNode
}

/** Where there are no passkeys, the reason. */
export function PasskeysOnly({ origin, children }: PasskeysOnlyProps) {
  const support = usePasskeySupport(origin)
  if (support === 'supported') return children
  if (support === 'unsupported') return <Notice>This browser does not support passkeys.</Notice>
  if (support === 'elsewhere') {
    return (
      <Notice>
        Passkeys work at <TextLink href={origin}>{origin}</TextLink> only.
      </Notice>
    )
  }
  return (
    <noscript>
      <p className="text-muted">Passkeys need JavaScript.</p>
    </noscript>
  )
}
