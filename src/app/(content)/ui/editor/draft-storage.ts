/** Text that was typed but not saved, with the version of the article that it started from. */
export type Draft = { title: string; body: string; version: string | undefined; at: number }

const maxAgeMs = 30 * 24 * 60 * 60 * 1000

/** In the browser only. Undefined also if it is too old. */
export function readDraft(key: string): Draft | undefined {
  const stored = parse(localStorage.getItem(storageKey(key)))
  if (!stored || Date.now() - stored.at < maxAgeMs) return stored
  removeDraft(key)
  return undefined
}

export function writeDraft(key: string, draft: Draft): void {
  try {
    localStorage.setItem(storageKey(key), JSON.stringify(draft))
  } catch {
    // The browser's storage is full. The text is still in the form.
  }
}

export function removeDraft(key: string): void {
  localStorage.removeItem(storageKey(key))
}

function storageKey(key: string): string {
  return `plinth.article.${key}`
}

function parse(text: string | null): Draft | undefined {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
