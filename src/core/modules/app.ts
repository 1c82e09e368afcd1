import 'server-only'
import { installProviders } from '@/core/auth/oauth/configured-providers'
import type { InstalledProvider } from '@/core/auth/oauth/provider'
import { setProductName } from '@/core/config/product-name'
import { installModules } from '@/core/modules/installed-modules'
import type { Module } from '@/core/modules/module'
import { fillSlots, type Slots } from '@/core/modules/slots'

export type App = {
  /** The name of the product. */
  name: string
  modules: readonly Module[]
  providers: readonly InstalledProvider[]
  slots: Slots
}

/** Hands the app to core, which imports nothing of it. */
export function registerApp({ name, modules, providers, slots }: App): void {
  setProductName(name)
  installModules(modules)
  installProviders(providers)
  fillSlots(slots)
}
