import type { AuthenticationResponseJSON } from '@simplewebauthn/browser'
import { getPasskey } from './webauthn'

/** Less than the server keeps a challenge. */
const maxAgeMs = 4 * 60 * 1000

/** The field may have the focus from the start, so it is also used without getting it. */
const uses = ['focus', 'pointerdown', 'keydown']

export type Autofill = {
  /** Until the field is used again. */
  stop: () => void
  remove: () => void
}

/** Once the email field is used, the browser offers passkeys in it. */
export function offerPasskeys(
  onChosen: (credential: AuthenticationResponseJSON) => void,
): Autofill | undefined {
  const field = document.querySelector<HTMLInputElement>('input[autocomplete~="webauthn"]')
  if (!field) return undefined
  let offer: { controller: AbortController; at: number } | undefined

  const stop = () => {
    offer?.controller.abort()
    offer = undefined
  }
  const start = async () => {
    if (offer && Date.now() - offer.at < maxAgeMs) return
    stop()
    const controller = new AbortController()
    offer = { controller, at: Date.now() }
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
    const found = await getPasskey(controller.signal)
    // The user did not ask for it, so a failure is not reported.
    if (!found.ok || controller.signal.aborted) return
    offer = undefined
    onChosen(found.data)
  }

  for (const use of uses) field.addEventListener(use, start)
  field.form?.addEventListener('submit', stop)
  return {
    stop,
    remove() {
      stop()
      for (const use of uses) field.removeEventListener(use, start)
      field.form?.removeEventListener('submit', stop)
    },
  }
}
