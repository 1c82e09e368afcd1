import 'server-only'
import type { Scope } from '@/core/auth/scope'
import type { SignedInScope } from '@/core/guard/policy'
import type { Module } from '@/core/module'
import { singleton } from '@/core/singleton'
import type { NavigationItem } from '@/core/ui/navigation'

const held = singleton('shell.modules', (): { modules: readonly Module[] } => ({ modules: [] }))

/** Core knows no module, so the root layout and the interface tell it which there are. */
export function install(modules: readonly Module[]): void {
  held.modules = modules
}

/** What this person may use, by the predicates that also guard it. */
export function navigationFor(scope: Scope): NavigationItem[] {
  return held.modules
    .flatMap(({ navigation = [] }) => navigation)
    .filter(({ who }) => who(scope))
    .map(({ href, label }) => ({ href, label }))
}

export function personMenuLinks(): NavigationItem[] {
  return held.modules.flatMap(({ personMenu = [] }) => personMenu)
}

/** What each module holds about this person, by its id. */
export async function personalDataOf(scope: SignedInScope): Promise<Record<string, unknown>> {
  const kept = held.modules.flatMap(({ id, personalData }) =>
    personalData ? [{ id, personalData }] : [],
  )
  const entries = kept.map(async ({ id, personalData }) => [id, await personalData(scope)] as const)
  return Object.fromEntries(await Promise.all(entries))
}
