import type { App } from '@/core/modules/app'
import { registerApp } from '@/core/modules/app'
import { modules } from '@/modules'
import { productName } from '@/product-name'
import { installed } from '@/providers/installed'
import { slots } from '@/slots'

/** What this app hands to core. Each bundle imports this file first. */
export const app: App = { name: productName, modules, providers: installed, slots }

registerApp(app)
