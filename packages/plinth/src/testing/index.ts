export { afterFile } from '#testing/after-file'
export {
  allCallers,
  type Caller,
  createCaller,
  type EffectiveRole,
  matrixCallers,
  transports,
} from '#testing/callers'
export { giveAllProofs } from '#testing/change-proof'
export { newClient } from '#testing/client'
export {
  type FreshDatabase,
  freshDatabase,
  onPostgres,
  openFresh,
  testDatabase,
} from '#testing/database/database'
export {
  databaseRows,
  exportedData,
  lastEvent,
  snapshotDatabase,
  userIdOf,
} from '#testing/database/database-rows'
export { earlierDatabase } from '#testing/database/earlier-database'
export { administer, databaseUrl } from '#testing/database/postgres-server'
export { everyNth, nightly, repetitions, sampleStep } from '#testing/nightly'
export { type RunningProgram, run } from '#testing/program'
export { newScope, scopeWithRole, sessionOf, signedInScope } from '#testing/scope'
export { authSecret, configure, replaceSettings } from '#testing/settings'
export { setUpTests } from '#testing/setup/setup'
export { sourceFiles } from '#testing/source-files'
