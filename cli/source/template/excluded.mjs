/** Files of the template repository that apps do not contain. */
const excluded = [
  /^cli\//,
  /^(attack|bench|cluster|mutation)\//,
  /^tests\/(attack|cli|cluster|deploy|docs|scripts)\//,
  /^docs\//,
  /^packages\/plinth\/scripts\/subset-fonts\.mjs$/,
  /^\.(ci|github)\//,
  /^(packages\/plinth\/)?CHANGELOG\.md$/,
  // Not in git, but present where the template was built or tested.
  /^(node_modules|\.next|\.data|\.git|\.plinth|dist|test-results)\//,
]

export function isIncluded(path) {
  return !excluded.some((pattern) => pattern.test(path))
}

export const engineFolder = 'packages/plinth'

/** Only an app that has ejected the engine has its sources and tests. */
export function isOfEngine(path) {
  return path.startsWith(`${engineFolder}/`)
}

/** Tests of the engine that use pages and actions of all modules are in folders named `with-modules`. */
export function needsModules(path) {
  return isOfEngine(path) && path.includes('/with-modules/')
}
