import { type App, registerApp } from 'plinth/modules/app'
import { modules } from '@/modules'
import { config } from '@/plinth.config'
import { slots } from '@/slots'

/** The parts of this app that the engine uses. */
export const app: App = { config, modules, slots }

registerApp(app)
