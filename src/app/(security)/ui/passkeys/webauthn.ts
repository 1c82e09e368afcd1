import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import type { ActionError, ActionResult } from 'plinth/universal/action-result'

/** At the first use, so that it is not part of the page. */
const load = () => import('@simplewebauthn/browser')

export async function createPasskey(
  optionsJSON: PublicKeyCredentialCreationOptionsJSON,
): Promise<ActionResult<RegistrationResponseJSON>> {
  try {
    const { startRegistration } = await load()
    return { ok: true, data: await startRegistration({ optionsJSON }) }
  } catch (error) {
    return explain(error)
  }
}

/** With `autofill` the browser offers passkeys in the email field, until the signal aborts it. */
export async function getPasskey(
  autofill?: AbortSignal,
): Promise<ActionResult<AuthenticationResponseJSON>> {
  try {
    const [options, { startAuthentication, WebAuthnAbortService }] = await Promise.all([
      post<PublicKeyCredentialRequestOptionsJSON>('/api/auth/passkeys/options', {}),
      load(),
    ])
    if (!options.ok) return options
    autofill?.throwIfAborted()
    autofill?.addEventListener('abort', () => WebAuthnAbortService.cancelCeremony())
    const request = { optionsJSON: options.data, useBrowserAutofill: autofill !== undefined }
    return { ok: true, data: await startAuthentication(request) }
  } catch (error) {
    return explain(error)
  }
}

/** Goes on to the callback URL. The body is that of the endpoint, without `redirect`. */
export async function signIn(endpoint: string, body: object): Promise<ActionResult> {
  const signedIn = await post<{ url: string }>(endpoint, { ...body, redirect: false })
  if (!signedIn.ok) return signedIn
  location.assign(signedIn.data.url)
  return { ok: true, data: undefined }
}

async function post<Data>(url: string, body: object): Promise<ActionResult<Data>> {
  try {
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    const data = await response.json()
    return response.ok ? { ok: true, data } : failed(data.detail)
  } catch {
    return failed('The server did not respond. Try again.')
  }
}

const texts: Record<string, string> = {
  // Browsers do not tell a canceled dialog from a device without a passkey.
  NotAllowedError: 'No passkey was chosen, or it took too long. Try again, or use another way.',
  InvalidStateError: 'This device already has a passkey for your account.',
  NotSupportedError: 'This device cannot store a passkey. Try another one.',
  ConstraintError: 'This device cannot store a passkey with a screen lock. Try another one.',
  SecurityError: 'Passkeys do not work at this address.',
}

function explain(error: unknown): ActionError {
  const name = error instanceof Error ? error.name : ''
  return failed(texts[name] ?? 'The passkey could not be used. Try again.')
}

/** Not `refuse()`: its texts would be part of every page. */
function failed(message: string): ActionError {
  return { ok: false, code: 'conflict', message }
}
