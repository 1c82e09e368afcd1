import { lineField } from 'plinth/http/fields'
import { z } from 'zod'

/** As typed: with or without a space in the middle. */
export const codeField = z.string('Enter the code.').trim().min(1, 'Enter the code.').max(20)

export const recoveryCodeField = z
  .string('Enter the code.')
  .trim()
  .min(1, 'Enter the code.')
  .max(100)

export const passkeyNameField = lineField('Enter a name.', 100)

/** The parts of a response of the browser, in base64url. A body has at most 64 KiB. */
const encoded = z.string().regex(/^[\w-]+$/, 'This is not base64url.')

/** WebAuthn allows ids of at most 1,023 bytes. */
export const passkeyIdField = encoded.max(1364)

const credential = { id: passkeyIdField, rawId: passkeyIdField, type: z.literal('public-key') }

/** The response of a browser that creates a passkey. Fields that nothing checks are dropped. */
export const registrationCredential = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: encoded,
    attestationObject: encoded,
    transports: z.array(z.string().max(20)).max(10).default([]),
  }),
})

/** The response of a browser that uses a passkey. */
export const signInCredential = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: encoded.max(100).optional(),
  }),
})

export type RegistrationCredential = z.output<typeof registrationCredential>

export type SignInCredential = z.output<typeof signInCredential>
