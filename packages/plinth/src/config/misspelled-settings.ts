import { editDistance, nearestName } from '#config/nearest-name'
import { settings } from '#config/settings'

/** A name in the environment that is no setting, and the setting that was probably meant. */
export type MisspelledSetting = { name: string; meant: string }

/** `more` are names that only a layer above knows: those of OAuth providers. */
export function findMisspelled(
  source: Readonly<Record<string, string | undefined>>,
  more: readonly string[] = [],
): MisspelledSetting[] {
  const names = [...Object.keys(settings.shape), ...more]
  const known = new Set(names.flatMap((name) => [name, `${name}_FILE`]))
  return Object.keys(source).flatMap((name) => {
    if (!source[name] || known.has(name) || isOfOthers(name)) return []
    const meant = nearestName(name, known, typingErrors)
    return meant === undefined ? [] : [{ name, meant }]
  })
}

export function explainMisspelled({ name, meant }: MisspelledSetting): string {
  return `${name} is not a setting. Did you mean ${meant}?`
}

/** The settings of OpenTelemetry for logs are one or two letters from those for traces. */
function isOfOthers(name: string): boolean {
  return name.startsWith('OTEL_BLRP_')
}

const shortName = 8

/**
 * Only swapped letters count in a short name: HOME, POST and PORTS are two letters or less from HOST or
 * PORT, and systems set such names.
 */
function typingErrors(typed: string, candidate: string): number {
  if (candidate.length >= shortName) return editDistance(typed, candidate)
  return sortedLetters(typed) === sortedLetters(candidate) ? 1 : Number.POSITIVE_INFINITY
}

function sortedLetters(text: string): string {
  return [...text].toSorted().join('')
}
