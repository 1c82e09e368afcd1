export { linkIn, linkTo, messageAbout, messagesTo } from '#testing/browser/outbox'
export {
  combinations,
  expectAccessible,
  expectEveryScreen,
  expectNoHorizontalScroll,
  saveScreenshot,
  screens,
  setScreen,
  waitForAnimations,
} from '#testing/browser/screens'
export {
  type ServerWithProviders,
  startServerWithProviders,
} from '#testing/browser/server-with-providers'
export {
  type IsolatedServer,
  type OldSessions,
  serverWithOldSessions,
  startIsolatedServer,
} from '#testing/browser/servers'
export {
  anotherBuildErrors,
  answerFromAnotherBuild,
  collectErrors,
  expect,
  lostConnectionErrors,
  offline,
  sendToAnotherBuild,
  test,
} from '#testing/browser/test'
export { anotherBrowser, password, signIn, signUp } from '#testing/browser/users'
export { nightly } from '#testing/nightly'
export { randomIp, submitForm } from '#testing/server/call-action'
export { freePort, type Server, startServer } from '#testing/server/server'
