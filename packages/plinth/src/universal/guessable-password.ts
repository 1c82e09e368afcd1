import { demoPassword } from '#universal/users'

/** Runs in the browser too, so that the hint below a field and the server agree. */

export type PasswordOwner = {
  email: string
  /** Undefined where it is not known yet. */
  name?: string | undefined
}

export type Guess = 'email' | 'name' | 'demo' | 'keyboard' | 'pattern'

/** The basis of an easy guess at the password, found without a list of passwords. */
export function guessedFrom(
  password: string,
  { email, name = '' }: PasswordOwner,
): Guess | undefined {
  const plain = plainForm(password)
  const guesses: [Guess, boolean][] = [
    ['email', plain === email || plain === email.split('@', 1)[0]],
    ['demo', isDemoPassword(plain)],
    ['name', isMostly(plain, name)],
    ['keyboard', isKeyboardRows(lettersAndDigits(plain))],
    ['pattern', isPattern(plain)],
  ]
  return guesses.find(([, isGuessed]) => isGuessed)?.[0]
}

/** Upper case and full-width letters do not make a password harder to guess. */
export function plainForm(password: string): string {
  return password.normalize('NFKC').toLowerCase()
}

/** The published password, also with other digits and signs at its end. */
function isDemoPassword(plain: string): boolean {
  const word = demoPassword.replace(/[^a-z]+$/, '')
  return plain.startsWith(word) && /^[\p{N}\p{P}\p{S}]{0,6}$/u.test(plain.slice(word.length))
}

/**
 * The name, or a part of it that has at least four characters, makes up more than half of the
 * password, or there are no other letters. So "Ann" refuses ann1984-10, but no word such as annual.
 */
export function isMostly(plain: string, name: string): boolean {
  const parts = plainForm(name)
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .map(lettersAndDigits)
  const whole = [parts.join(''), [...parts].reverse().join('')]
  const longParts = parts.filter((part) => part.length >= 4)
  const typed = lettersAndDigits(plain)
  return [whole, longParts].some((names) => {
    const rest = names.filter(Boolean).reduce((text, part) => text.replaceAll(part, ' '), typed)
    const other = rest.replaceAll(' ', '')
    const named = typed.length - other.length
    if (named < 2) return false
    return !/\p{L}/u.test(other) || (named >= 4 && named > other.length)
  })
}

/** Removes accents, spaces and signs. */
function lettersAndDigits(text: string): string {
  return text.normalize('NFKD').replace(/[^\p{L}\p{N}]/gu, '')
}

/** QWERTY, QWERTZ and AZERTY, from the digits down. */
const keyboards = [
  ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'],
  ['1234567890', 'qwertzuiop', 'asdfghjkl', 'yxcvbnm'],
  ['1234567890', 'azertyuiop', 'qsdfghjklm', 'wxcvbn'],
]

const minRun = 3

/**
 * Pieces of rows and columns of a keyboard, in either direction, with up to four digits appended:
 * qwertyuiop, 1qaz2wsx3edc, asdfasdf2024. Also two rows in turn: 1q2w3e4r5t.
 */
function isKeyboardRows(typed: string): boolean {
  const keys = typed.replace(/\p{N}{1,4}$/u, '')
  const everyOther = (first: number) => [...keys].filter((_, index) => index % 2 === first).join('')
  return (
    [typed, keys].some((text) => isRuns(text.replace(/(.)\1+/gu, '$1'))) ||
    (isRun(everyOther(0)) && isRun(everyOther(1)))
  )
}

/** The last one may be short. */
function isRuns(text: string): boolean {
  for (let start = 0; start < text.length; ) {
    let end = start + 1
    while (end < text.length && isOnLine(text.slice(start, end + 1))) end++
    if (end - start < minRun && (start === 0 || end < text.length)) return false
    start = end
  }
  return text.length > 0
}

function isRun(text: string): boolean {
  return text.length >= minRun && isOnLine(text)
}

function isOnLine(text: string): boolean {
  return lines.some((line) => line.includes(text))
}

const lines = keyboards.flatMap((rows) => {
  const starts = Array.from({ length: 10 }, (_, index) => index)
  const along = (step: number) =>
    starts.map((start) => rows.map((row, index) => row[start + step * index] ?? ' ').join(''))
  // 1qaz, and 4esz, which leans to the other side.
  const all = [...rows, ...along(0), ...along(-1)]
  return [...all, ...all.map((line) => [...line].reverse().join(''))]
})

/** A repeated piece or a sequence of characters: 1212121212, abcdefghij. */
function isPattern(plain: string): boolean {
  if (/^(.{1,4})\1+$/su.test(plain)) return true
  const codes = [...plain].map((character) => character.codePointAt(0) ?? 0)
  const step = (codes[1] ?? 0) - (codes[0] ?? 0)
  return codes.every(
    (code, index) =>
      index === 0 || (code - (codes[index - 1] ?? 0) === step && Math.abs(step) <= 1),
  )
}
