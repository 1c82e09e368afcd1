/** Why a secret can be guessed, or undefined. A random secret has no period, order or words. */
export function weaknessOf(secret: string): string | undefined {
  if (new Set(secret).size < 10) return 'has fewer than ten different characters'
  if (hasPeriod(secret)) return 'repeats the same characters'
  if (isInOrder(secret)) return 'is a sequence of characters'
  if (isWords(secret)) return 'is made of words'
  return undefined
}

function hasPeriod(secret: string): boolean {
  const longest = Math.floor(secret.length / 2)
  for (let period = 1; period <= longest; period += 1) {
    const repeated = [...secret].filter((character, at) => character === secret[at - period]).length
    if (repeated >= 0.9 * (secret.length - period)) return true
  }
  return false
}

function isInOrder(secret: string): boolean {
  const codes = [...secret].map((character) => character.codePointAt(0) ?? 0)
  const steps = codes.filter((code, at) => Math.abs(code - (codes[at - 1] ?? Number.NaN)) === 1)
  return steps.length > 0.5 * secret.length
}

/** Mostly runs of letters in one case, with enough vowels to be pronounceable. */
function isWords(secret: string): boolean {
  const words = secret.match(/[A-Z]?[a-z]{4,}|[A-Z]{5,}/g) ?? []
  const letters = words.join('')
  const vowels = letters.match(/[aeiouy]/gi) ?? []
  return letters.length > 0.7 * secret.length && vowels.length > 0.25 * letters.length
}
