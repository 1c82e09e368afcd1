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

/** An app gets core's tests when they are needed, unless it has added them for good. */
export const coreTestsFolder = 'packages/plinth/tests'

export function isCoreTest(path) {
  return path.startsWith(`${coreTestsFolder}/`)
}

/** Tests of core that use pages and actions of all modules are in folders named `with-modules`. */
export function needsModules(path) {
  return isCoreTest(path) && path.includes('/with-modules/')
}
