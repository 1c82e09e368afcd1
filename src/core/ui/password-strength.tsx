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
  /** A password must not be the user's email. */
  email: string
}

type Strength = { level: 'weak' | 'good' | 'strong'; text: string }

/** How hard a password is to guess, from its length and variety. The server knows more of them. */
export function estimateStrength(password: string, { min, max, email }: PasswordRules): Strength {
  const characters = [...password]
  if (characters.length < min) return weak(`Too short. Use at least ${min} characters.`)
  if (characters.length > max) return weak(`Too long. Use at most ${max} characters.`)
  const plain = password.normalize('NFKC').toLowerCase()
  const account = email.toLowerCase()
  if (plain === account || plain === account.split('@', 1)[0]) {
    return weak('Do not use your email.')
  }
  const unexpected = unexpectedCharacters(withoutFrequentWords(plain))
  if (unexpected < 7) return weak('Easy to guess. Add a few unrelated words.')
  const variety = Math.log2(alphabetSize(password))
  return unexpected * variety < 60
    ? { level: 'good', text: 'Good. Longer is better.' }
    : { level: 'strong', text: 'Strong.' }
}

const weak = (text: string): Strength => ({ level: 'weak', text })

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
