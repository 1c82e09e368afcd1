import { z } from 'zod'
import { normaliseEmail } from '@/core/auth/email'
import { passwordLength } from '@/core/auth/password-length'

/**
 * What a person types about themselves, each field defined once. The database refuses the same
 * things; here they get words.
 */

const noAddress = 'Enter an e-mail address, such as name@example.com.'

/**
 * In its normal form. Commas, brackets and quotes are left out although some mail systems know
 * them: a list of recipients hides in them, and a link must go to one mailbox.
 */
export const emailField = z
  .string('Enter your e-mail address.')
  .max(1000, noAddress)
  .transform(normaliseEmail)
  .pipe(
    z
      .string()
      .min(1, 'Enter your e-mail address.')
      .max(254, 'An e-mail address has at most 254 characters.')
      .regex(/^[^\s\p{C}@,;:<>()[\]"\\]+@[^\s\p{C}@,;:<>()[\]"\\]+$/u, noAddress),
  )

/** Control characters, halves of a character, and what turns the direction of the text around it. */
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

export const nameField = z
  .string('Enter your name.')
  .max(1000, 'A name has at most 100 characters.')
  .trim()
  .refine((name) => visible.test(name), 'Enter your name.')
  .refine((name) => charactersIn(name) <= 100, 'A name has at most 100 characters.')
  .refine((name) => !unprintable.test(name), 'A name has letters and signs that can be seen.')

/** Its length alone; whether it is too easy is `complaintAbout()`'s to say, who knows the address. */
export const newPasswordField = z
  .string('Choose a password.')
  .refine(
    (password) => charactersIn(password) >= passwordLength.least,
    `A password has at least ${passwordLength.least} characters.`,
  )
  .refine(
    (password) => charactersIn(password) <= passwordLength.most,
    `A password has at most ${passwordLength.most} characters.`,
  )

/** As the database counts them: an emoji is one. */
function charactersIn(text: string): number {
  return [...text].length
}
