import { type App, registerApp } from 'plinth/modules/app'
import { modules } from '@/modules'
import { productName } from '@/product-name'
import { installed } from '@/providers/installed'
import { slots } from '@/slots'

/** The parts of this app that the engine uses. */
export const app: App = { name: productName, modules, providers: installed, slots }

registerApp(app)
