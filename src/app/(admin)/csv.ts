/** One line as in RFC 4180: cells quoted, quotes doubled, CRLF at the end. */
export function csvLine(cells: readonly (string | undefined)[]): string {
  return `${cells.map((cell = '') => `"${escapeFormula(cell).replaceAll('"', '""')}"`).join(',')}\r\n`
}

/**
 * CSV injection: a spreadsheet runs a cell that starts with one of these characters as a formula,
 * quoted or not. Those for Chinese and Japanese read the full-width ones too. A leading apostrophe
 * makes it text.
 */
function escapeFormula(cell: string): string {
  return /^[=+\-@\t\r\n|%＝＋－＠｜％]/.test(cell) ? `'${cell}` : cell
}
