export {
  type ActionOutcome,
  builtActions,
  callAction,
  outcomeOf,
  parseActionResponse,
  randomIp,
  sendAction,
  submitForm,
} from '#testing/server/call-action'
export { docExamples } from '#testing/server/doc-examples'
export { engineCommand } from '#testing/server/engine-command'
export {
  createAuditEvents,
  createSessions,
  createUsers,
  gzipSize,
  type PageBudget,
  type PageWeight,
  polyfills,
  readStatic,
  referredFiles,
  reportOf,
  requireWithinBudget,
  rootScripts,
  staticFiles,
  weighHtml,
} from '#testing/server/page-weight'
export { runningServer } from '#testing/server/running-server'
export { freePort, launchServer, type Server, startServer } from '#testing/server/server'
