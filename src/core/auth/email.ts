/** One form for each address, so that it can be unique: full-width, upper case and spaces go. */
export function normaliseEmail(text: string): string {
  return text.trim().normalize('NFKC').toLowerCase().normalize('NFKC')
}
