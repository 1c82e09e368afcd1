import 'server-only'
import type { Scope } from '@/core/auth/scope'
import type { Module } from '@/core/module'
import { singleton } from '@/core/singleton'
import type { NavigationItem } from '@/core/ui/navigation'

const held = singleton('shell.modules', (): { modules: readonly Module[] } => ({ modules: [] }))

/** Core knows no module, so the root layout tells it which there are. */
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
