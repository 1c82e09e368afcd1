import { signInOptions, signInResponse, signInResponses } from 'plinth/api/sign-in'
import { anyone } from 'plinth/guard/policy'
import { route } from 'plinth/guard/route'
import { Problem } from 'plinth/http/problems'
import { z } from 'zod'
import { createSignInOptions, signInWithPasskey } from './data/factors/passkey-sign-in'
import { signInCredential } from './fields'

const encoded = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'

export const passkeyRoutes = [
  route(
    {
      method: 'post',
      path: '/auth/passkeys/options',
      name: 'passkey_options',
      summary: 'Start a sign-in with a passkey',
      description:
        'The options for `navigator.credentials.get()`, in the JSON form of WebAuthn. The challenge works once, within 5 minutes.',
      authorize: anyone,
      // A sign-in page fetches them whenever its email field is used, and an office has one IP.
      rateLimit: { times: 120, seconds: 600 },
      responses: {
        200: {
          description: 'The options.',
          body: z
            .object({
              challenge: z.string(),
              rpId: z.string(),
              timeout: z.int(),
              userVerification: z.literal('required'),
            })
            .meta({ id: 'PasskeyOptions' }),
        },
      },
    },
    async () => {
      const { challenge, rpId = '', timeout = 0 } = await createSignInOptions()
      return { challenge, rpId, timeout, userVerification: 'required' as const }
    },
  ),
  route(
    {
      method: 'post',
      path: '/auth/passkeys/verify',
      name: 'passkey_sign_in',
      summary: 'Sign in with a passkey',
      description:
        'The authenticator has verified the user, so no second factor follows. Always creates a new session and ends the previous one.',
      authorize: anyone,
      readsSession: true,
      rateLimit: { times: 60, seconds: 600 },
      input: {
        body: z.object({
          credential: signInCredential.describe('The response of the browser, as JSON.'),
          ...signInOptions,
        }),
        example: {
          credential: {
            id: encoded,
            rawId: encoded,
            type: 'public-key',
            response: {
              clientDataJSON: encoded,
              authenticatorData: encoded,
              signature: encoded,
              userHandle: encoded,
            },
          },
          redirect: false,
        },
      },
      responses: signInResponses,
      problems: ['invalid_passkey', 'account_frozen'],
    },
    async ({ scope, input: { body }, c }) => {
      const created = await signInWithPasskey(scope, body.credential)
      if (!created) throw new Problem('invalid_passkey')
      c.set('userId', created.session.user.id)
      return signInResponse(c, created, body)
    },
  ),
]
