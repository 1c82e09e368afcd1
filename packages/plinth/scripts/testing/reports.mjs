import { writeFileSync } from 'node:fs'

/** One line of the output for each test file. */
export function resultLine(name, { passed, failed, skipped, seconds }) {
  const counts = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ]
  const mark = failed > 0 ? '✗' : '✓'
  return `${mark} ${name}  ${counts.join(', ')}  ${seconds.toFixed(1)} s`
}

/** Writes a result for packages/plinth/scripts/testing/summary.mjs, which describes its form. */
export function writeReport(result) {
  const { TEST_REPORT } = process.env
  if (TEST_REPORT) writeFileSync(TEST_REPORT, JSON.stringify(result))
}

/** The command that runs one test. */
export function commandFor(file, { title, settings = '', flags = '' } = {}) {
  const selected = title === undefined ? '' : ` -t ${quoted(`^${escaped(title)}$`)}`
  return `${settings}npm test -- ${quoted(file)}${flags}${selected}`
}

function escaped(text) {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')
}

/** As a shell reads it. */
function quoted(text) {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
