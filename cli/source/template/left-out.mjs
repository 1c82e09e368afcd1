/** What is about the template itself, and not for the apps made of it. */
const leftOut = [
  /^cli\//,
  /^bench\//,
  /^tests\/cli\//,
  /^docs\/images\//,
  /^CHANGELOG\.md$/,
  /^\.github\/workflows\/nightly\.yml$/,
  // Not in the repository, but it may lie about where the template is unpacked.
  /^(node_modules|\.next|\.data|\.git|\.plinth|dist|test-results)\//,
]

export function isInApps(path) {
  return !leftOut.some((pattern) => pattern.test(path))
}
