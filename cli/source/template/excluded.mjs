/** Files of the template repository that apps do not contain. */
const excluded = [
  /^cli\//,
  /^(attack|bench|cluster)\//,
  /^tests\/(attack|cli|cluster|docs)\//,
  /^docs\/images\//,
  /^CHANGELOG\.md$/,
  /^\.github\/workflows\/nightly\.yml$/,
  // Not in git, but present where the template was built or tested.
  /^(node_modules|\.next|\.data|\.git|\.plinth|dist|test-results)\//,
]

export function isIncluded(path) {
  return !excluded.some((pattern) => pattern.test(path))
}
