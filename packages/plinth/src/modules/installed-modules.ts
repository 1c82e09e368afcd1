import { installFactors } from '#auth/accounts/change-proofs'
import { installRevocationListeners } from '#auth/sessions/revocation'
import { installSignInSteps } from '#auth/sessions/steps'
import { isDatabaseUnavailable } from '#db/errors'
import { isSignedIn, type Policy, type SignedInScope } from '#guard/policy'
import { logFailure } from '#http/request-log'
import type { Scope } from '#http/scope'
import type { Module } from '#modules/module'
import { installMethodTables } from '#recovery/methods'
import type { HomeCardData } from '#universal/home-card'
import type { NavigationItem } from '#universal/navigation'
import type { SearchGroup } from '#universal/search-results'

type Listener = (modules: readonly Module[]) => void

const installed: { modules: readonly Module[]; listener?: Listener } = { modules: [] }

/** Calls it with the modules of each later registration. */
export function onInstalled(listener: Listener): void {
  installed.listener = listener
}

/** The engine imports no module, so the root layout and the API pass the list in. */
export function installModules(modules: readonly Module[]): void {
  installed.modules = modules
  installSignInSteps(modules)
  installRevocationListeners(modules)
  installFactors(modules)
  installMethodTables(modules)
  installed.listener?.(modules)
}

export function installedModules(): readonly Module[] {
  return installed.modules
}

const home: NavigationItem = { href: '/home', label: 'Home' }

/** The items that the caller may open. */
export function navigationFor(scope: Scope): NavigationItem[] {
  const items = installed.modules.flatMap(({ navigation = [] }) => navigation)
  return [...(isSignedIn(scope) ? [home] : []), ...allowedItems(items, scope)]
}

/** Every page that the caller may go to, for the command palette. */
function pagesFor(scope: SignedInScope): NavigationItem[] {
  const further = installed.modules.flatMap(({ pages = [] }) => pages)
  return [...userMenuLinks(scope), ...allowedItems(further, scope)]
}

function allowedItems(
  items: readonly (NavigationItem & { authorize: Policy })[],
  scope: Scope,
): NavigationItem[] {
  return items
    .filter(({ authorize }) => authorize(scope))
    .map(({ href, label }) => ({ href, label }))
}

/** Every place that the user may go to. A prerendered page knows no user: it shows those for all. */
export function userMenuLinks(scope?: Scope): NavigationItem[] {
  const links = installed.modules.flatMap(({ userMenu = [] }) => userMenu)
  return [...(scope ? navigationFor(scope) : [home]), ...links]
}

/** The menu of the account. The page that is open is always in it. */
export function accountSections(current: string): NavigationItem[] {
  return installed.modules
    .flatMap(({ accountSections = [] }) => accountSections)
    .filter(({ href, isShown }) => href === current || (isShown?.() ?? true))
    .map(({ href, label }) => ({ href, label }))
}

/**
 * The ways to sign in that modules add to the sign-in page. It passes its own import of the modules: their
 * components work in no page if they were loaded for the API or the start.
 */
export function shownSignInMethods(modules: readonly Module[]) {
  return modules
    .flatMap(({ signInMethods = [] }) => signInMethods)
    .filter(({ isShown }) => isShown?.() ?? true)
}

/**
 * The pages of modules about a user that the caller may open.
 *
 * @public For modules with a page about a user.
 */
export function userPagesFor(scope: SignedInScope, userId: string): NavigationItem[] {
  return installed.modules
    .flatMap(({ userPages = [] }) => userPages)
    .filter(({ authorize }) => authorize(scope))
    .map(({ label, href }) => ({ label, href: href(userId) }))
}

/** The pages of modules where this user can confirm their identity. */
export async function confirmMethodsFor(scope: SignedInScope): Promise<NavigationItem[]> {
  const methods = installed.modules.flatMap(({ confirmMethods = [] }) => confirmMethods)
  const available = await Promise.all(methods.map(({ isAvailable }) => isAvailable(scope)))
  return methods.filter((_, index) => available[index]).map(({ href, label }) => ({ href, label }))
}

/** The user's data in each module, by module id. */
export async function collectPersonalData(scope: SignedInScope): Promise<Record<string, unknown>> {
  const sources = installed.modules.flatMap(({ id, personalData }) =>
    personalData ? [{ id, personalData }] : [],
  )
  const entries = sources.map(
    async ({ id, personalData }) => [id, await personalData(scope)] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

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
  const isWarning = (card: HomeCardData) => Number(card.isWarning ?? false)
  return (await Promise.all(loaded)).flat().sort((one, other) => isWarning(other) - isWarning(one))
}

const maxResults = 5

/** The groups that the command palette shows for a text: pages, and the results of the modules. */
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
