/** `.env.example` consists of paragraphs. Removes those of providers that are not installed. */
export function withoutProviders(text, absent) {
  const names = absent.map((id) => `AUTH_${id.toUpperCase().replaceAll('-', '_')}_`)
  return paragraphsOf(text)
    .filter((paragraph) => !names.some((name) => paragraph.includes(name)))
    .join('\n\n')
    .concat('\n')
}

export function withSettings(text, { id, settings }) {
  const names = Object.keys(settings)
  return names.length === 0 ? text : `${text.trimEnd()}\n\n${paragraphFor(id, settings)}\n`
}

export function withoutSettings(text, { id, settings }) {
  if (Object.keys(settings).length === 0) return text
  const paragraph = paragraphFor(id, settings)
  return `${paragraphsOf(text)
    .filter((candidate) => candidate !== paragraph)
    .join('\n\n')}\n`
}

function paragraphFor(id, settings) {
  const lines = Object.entries(settings).flatMap(([name, description]) => [
    `# ${description}`,
    `# ${name}=`,
  ])
  return [`# Module ${id}.`, ...lines].join('\n')
}

function paragraphsOf(text) {
  return text.trimEnd().split(/\n\n+/)
}
