import { z } from 'zod'
import { appConfig } from '#config/app-config'
import { themes } from '#universal/users'

/** The database rejects the same values; these schemas add the messages. */

const invalidEmail = 'Enter an email in the format name@example.com.'

/**
 * Normalized. Invisible characters are rejected. Commas, brackets and quotes are rejected although some mail systems allow them: they
 * can hide a list of recipients, and a link must go to one mailbox.
 *
 * @public For modules: `required` is the message for an empty field.
 */
export function emailFieldWith(required: string) {
  return z
    .string(required)
    .max(1000, invalidEmail)
    .transform(normalizeEmail)
    .pipe(
      z
        .string()
        .min(1, required)
        .max(254, 'An email can have at most 254 characters.')
        .regex(/^[^\s\p{C}\p{DI}@,;:<>()[\]"\\]+@[^\s\p{C}\p{DI}@,;:<>()[\]"\\]+$/u, invalidEmail),
    )
}

export const emailField = emailFieldWith('Enter your email.')

/** Control characters, lone surrogates and characters that change the text direction. */
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

export const nameField = z
  .string('Enter your name.')
  .max(1000, 'A name can have at most 100 characters.')
  .trim()
  .refine((name) => visible.test(name), 'Enter your name.')
  .refine((name) => characterCount(name) <= 100, 'A name can have at most 100 characters.')
  .refine((name) => !unprintable.test(name), 'A name cannot contain invisible characters.')

/** In characters. */
export function passwordLength(): { min: number; max: number } {
  return { min: appConfig().passwords.minLength, max: 128 }
}

/** Checks the length only; `passwordError()` needs the user too. */
export const newPasswordField = z
  .string('Choose a password.')
  .refine((password) => characterCount(password) >= passwordLength().min, {
    error: () => `Use at least ${passwordLength().min} characters.`,
  })
  .refine((password) => characterCount(password) <= passwordLength().max, {
    error: () => `Use at most ${passwordLength().max} characters.`,
  })

const unknownTimeZone = 'Enter a time zone such as Europe/Berlin.'

/** A name of the IANA database, in any case and with spaces. */
export const timeZoneField = z
  .string(unknownTimeZone)
  .trim()
  .max(64, unknownTimeZone)
  .transform((typed, context) => {
    const zone = timeZoneNamed(typed.replaceAll(' ', '_'))
    if (zone === undefined) context.addIssue({ code: 'custom', message: unknownTimeZone })
    return zone ?? z.NEVER
  })

export const themeField = z.enum(themes, 'Choose one of the listed values.')

/** Not an offset such as +01:00, which has no daylight saving time. */
function timeZoneNamed(name: string): string | undefined {
  const listed = Intl.supportedValuesOf('timeZone').find(
    (zone) => zone.toLowerCase() === name.toLowerCase(),
  )
  if (listed || !/^[a-z]/i.test(name)) return listed
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** Counts code points, as the database does. */
function characterCount(text: string): number {
  return [...text].length
}

/** One form per email, so that it can be unique: trimmed, NFKC, lower case. */
export function normalizeEmail(text: string): string {
  return text.trim().normalize('NFKC').toLowerCase().normalize('NFKC')
}
