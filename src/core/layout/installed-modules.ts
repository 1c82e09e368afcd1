import 'server-only'
import { singleton } from '@/core/config/singleton'
import type { SignedInScope } from '@/core/guard/policy'
import type { Scope } from '@/core/http/scope'
import type { Module } from '@/core/module'
import type { NavigationItem } from '@/core/ui/navigation'

const installed = singleton('modules', (): { modules: readonly Module[] } => ({ modules: [] }))

/** Core imports no module, so the root layout and the API pass the list in. */
export function installModules(modules: readonly Module[]): void {
  installed.modules = modules
}

/** The items that the caller may open. */
export function navigationFor(scope: Scope): NavigationItem[] {
  return installed.modules
    .flatMap(({ navigation = [] }) => navigation)
    .filter(({ authorize }) => authorize(scope))
    .map(({ href, label }) => ({ href, label }))
}

export function userMenuLinks(): NavigationItem[] {
  return installed.modules.flatMap(({ userMenu = [] }) => userMenu)
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
