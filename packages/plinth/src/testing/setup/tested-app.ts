import type { App } from '#modules/app'

const current: { app?: App } = {}

/** The tests are those of this app. The engine imports nothing of it, so its setup file hands it over. */
export function setTestedApp(app: App): void {
  current.app = app
}

export function testedApp(): App {
  if (!current.app) throw new Error('No app. The setup file of Vitest calls setUpTests(app).')
  return current.app
}
