import 'server-only'
import { isDatabaseUnavailable } from '@/core/db/errors'
import type { SignedInScope } from '@/core/guard/policy'
import { logFailure } from '@/core/http/request-log'
import { installedModules } from '@/core/layout/installed-modules'
import type { HomeCardData } from '@/core/ui/home-card'

/** A card that fails is left out; the others are shown. */
export async function loadHomeCards(scope: SignedInScope): Promise<HomeCardData[]> {
  const cards = installedModules()
    .flatMap(({ homeCards = [] }) => homeCards)
    .filter(({ authorize }) => authorize(scope))
  const loaded = cards.map(async ({ title, href, load }) => {
    try {
      const content = await load(scope)
      return content ? [{ title, href, ...content }] : []
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      logFailure(error, 'home card failed')
      return []
    }
  })
  return (await Promise.all(loaded)).flat()
}
