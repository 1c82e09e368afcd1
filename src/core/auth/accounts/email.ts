/** One form per email, so that it can be unique: trimmed, NFKC, lower case. */
export function normalizeEmail(text: string): string {
  return text.trim().normalize('NFKC').toLowerCase().normalize('NFKC')
}
