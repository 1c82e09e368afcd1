import { installProviders } from '#auth/oauth/configured-providers'
import { providersOf } from '#auth/oauth/providers/providers'
import { type Config, configure } from '#config/app-config'
import { installModules } from '#modules/installed-modules'
import type { Module } from '#modules/module'
import { fillSlots, type Slots } from '#modules/slots'

export type App = {
  config: Config
  modules: readonly Module[]
  slots: Slots
}

/** Hands the app to the engine, which imports nothing of it. */
export function registerApp({ config, modules, slots }: App): void {
  configure(config)
  fillSlots(slots)
  const ofModules = modules.flatMap(({ providers = [] }) => providers)
  installProviders([...providersOf(config), ...ofModules])
  installModules(modules)
}
