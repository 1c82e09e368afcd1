import 'server-only'
import type { SignedInScope } from '@/core/guard/policy'
import { installedModules, pagesFor } from '@/core/layout/installed-modules'
import type { SearchGroup } from '@/core/ui/search-result'

const maxResults = 5

/** What the command palette shows for a text: pages, and what the modules find. */
export async function searchFor(scope: SignedInScope, text: string): Promise<SearchGroup[]> {
  const searches = installedModules()
    .flatMap(({ search = [] }) => search)
    .filter(({ authorize }) => text !== '' && authorize(scope))
  const found = searches.map(async ({ title, find }) => ({
    title,
    results: (await find(scope, text)).slice(0, maxResults),
  }))
  const groups = [
    { title: 'Pages', results: findPages(scope, text) },
    ...(await Promise.all(found)),
  ]
  return groups.filter(({ results }) => results.length > 0)
}

function findPages(scope: SignedInScope, text: string) {
  const wanted = text.toLowerCase()
  return pagesFor(scope).filter(({ label }) => label.toLowerCase().includes(wanted))
}
