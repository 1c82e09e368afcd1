import { installProviders } from '#auth/oauth/configured-providers'
import type { InstalledProvider } from '#auth/oauth/provider'
import { setProductName } from '#config/product-name'
import { installModules } from '#modules/installed-modules'
import type { Module } from '#modules/module'
import { fillSlots, type Slots } from '#modules/slots'

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
