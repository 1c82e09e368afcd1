/** One line as RFC 4180 says: every cell in quotes, quotes doubled, ended by CR LF. */
export function csvLine(cells: readonly (string | undefined)[]): string {
  return `${cells.map((cell = '') => `"${harmless(cell).replaceAll('"', '""')}"`).join(',')}\r\n`
}

/**
 * A spreadsheet takes a cell that begins with one of these for a formula, quoted or not, and runs
 * it on the machine of whoever opens the file. With an apostrophe before it, it is text.
 */
function harmless(cell: string): string {
  return /^[=+\-@\t\r\n|%]/.test(cell) ? `'${cell}` : cell
}
