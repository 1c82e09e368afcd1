type Text = { title: string; body: string; version: string | undefined }

/** The fields of the article form. */
export function controlsOf(textarea: HTMLTextAreaElement, form: HTMLFormElement) {
  const title = form.elements.namedItem('title') as HTMLInputElement
  /** The version of the article that is edited. A new article has none. */
  const version = form.elements.namedItem('version') as HTMLInputElement | null
  const stored = { title: title.defaultValue, body: textarea.defaultValue, version: version?.value }
  const announce = () => textarea.dispatchEvent(new Event('input', { bubbles: true }))

  function write(text: Text) {
    title.value = text.title
    textarea.value = text.body
    // The text is based on this version: another user's changes since then are a conflict.
    if (version && text.version !== undefined) version.value = text.version
    announce()
  }

  return {
    form,
    isChanged: () => title.value !== stored.title || textarea.value !== stored.body,
    read: (): Text => ({ title: title.value, body: textarea.value, version: version?.value }),
    write,
    reset: () => write(stored),
  }
}

export type ArticleControls = ReturnType<typeof controlsOf>
