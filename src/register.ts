import { type App, registerApp } from 'plinth/modules/app'
import { modules } from '@/modules'
import { productName } from '@/product-name'
import { installed } from '@/providers/installed'
import { slots } from '@/slots'

/** The parts of this app that core uses. Programs and pages import this file before they need them. */
export const app: App = { name: productName, modules, providers: installed, slots }

registerApp(app)
