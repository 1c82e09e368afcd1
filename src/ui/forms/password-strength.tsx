import { type Guess, guessedFrom, plainForm } from 'plinth/universal/guessable-password'

/** A hint only: the server decides. */
export default function PasswordStrength(props: { password: string; rules: PasswordRules }) {
  const { level, text } = estimateStrength(props.password, props.rules)
  return (
    <p className="password-strength" data-level={level}>
      {text}
    </p>
  )
}

export interface PasswordRules {
  min: number
  max: number
  /** A password must not be the user's email or name. */
  email: string
  name?: string | undefined
}

type Strength = { level: 'weak' | 'good' | 'strong'; text: string }

/** How hard a password is to guess, from its length and variety. The server knows more of them. */
export function estimateStrength(password: string, rules: PasswordRules): Strength {
  const { min, max } = rules
  const characters = [...password]
  if (characters.length < min) return weak(`Too short. Use at least ${min} characters.`)
  if (characters.length > max) return weak(`Too long. Use at most ${max} characters.`)
  const guess = guessedFrom(password, rules)
  if (guess) return weak(guesses[guess])
  const unexpected = unexpectedCharacters(withoutFrequentWords(plainForm(password)))
  if (unexpected < 7) return weak(easy)
  const variety = Math.log2(alphabetSize(password))
  return unexpected * variety < 60
    ? { level: 'good', text: 'Good. Longer is better.' }
    : { level: 'strong', text: 'Strong.' }
}

const weak = (text: string): Strength => ({ level: 'weak', text })

const easy = 'Easy to guess. Add a few unrelated words.'

const guesses: Record<Guess, string> = {
  email: 'Do not use your email.',
  name: 'Do not use your name.',
  demo: 'Do not use the password of the demo accounts.',
  keyboard: easy,
  pattern: easy,
}

const frequent =
  /pass(word|wort)?|qwert[yz]|asdf|letmein|welcome|admin|iloveyou|monkey|dragon|login/g

function withoutFrequentWords(plain: string): string {
  return plain.replace(frequent, '*')
}

/** Without repetitions and sequences: of `aaaa`, `1234` and `abab` little is left. */
function unexpectedCharacters(plain: string): number {
  const codes = [...plain].map((character) => character.codePointAt(0) ?? 0)
  const seen = new Set<string>()
  return codes.filter((code, index) => {
    const previous = codes[index - 1] ?? Number.NaN
    const pair = `${previous} ${code}`
    const isExpected = Math.abs(code - previous) <= 1 || seen.has(pair)
    seen.add(pair)
    return !isExpected
  }).length
}

const alphabets: [RegExp, number][] = [
  [/\p{Ll}/u, 26],
  [/\p{Lu}/u, 26],
  [/\p{Lo}/u, 100],
  [/\p{N}/u, 10],
  [/[^\p{L}\p{N}]/u, 20],
]

function alphabetSize(password: string): number {
  return alphabets.reduce((size, [kind, more]) => size + (kind.test(password) ? more : 0), 0)
}
