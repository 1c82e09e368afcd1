import { relyingParty } from '../data/factors/passkeys'
import PasskeySignIn from '../ui/passkeys/lazy-passkey-sign-in'

/** Below the form of the sign-in page. */
export function PasskeyOption({ callbackUrl }: { callbackUrl: string }) {
  return <PasskeySignIn origin={relyingParty().origin} callbackUrl={callbackUrl} />
}
