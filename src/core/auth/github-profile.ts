import 'server-only'
import { z } from 'zod'
import { providerFetch } from '@/core/auth/provider-fetch'

const user = z.object({ id: z.number(), login: z.string(), name: z.string().nullish() })

const emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/**
 * The address on a profile is whatever its owner likes to show, so it is never taken: only the one
 * that GitHub uses itself and has verified.
 */
export async function githubProfile(userUrl: string, accessToken: string) {
  const [profile, addresses] = await Promise.all([
    ask(userUrl, accessToken, user),
    ask(`${userUrl}/emails`, accessToken, emails),
  ])
  const own = addresses.find(({ primary, verified }) => primary && verified)
  return { ...profile, email: own?.email ?? null }
}

async function ask<Shape extends z.ZodType>(
  url: string,
  accessToken: string,
  shape: Shape,
): Promise<z.output<Shape>> {
  const response = await providerFetch(url, {
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${accessToken}`,
      'user-agent': 'plinth',
    },
    redirect: 'error',
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`)
  return shape.parse(await response.json())
}
