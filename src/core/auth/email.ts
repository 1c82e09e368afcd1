import { z } from 'zod'

/** One form for each address, so that it can be unique: full-width, upper case and spaces go. */
export function normaliseEmail(text: string): string {
  return text.trim().normalize('NFKC').toLowerCase().normalize('NFKC')
}

export const email = z
  .string()
  .max(1000)
  .transform(normaliseEmail)
  .pipe(
    z
      .email('This does not look like an e-mail address.')
      .max(254, 'An address has at most 254 characters.'),
  )
