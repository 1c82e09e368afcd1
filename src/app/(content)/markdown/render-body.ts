import 'server-only'
import { isActionError, refuse } from 'plinth/universal/action-result'
import { rendererVersion, renderMarkdown } from './render'

/** The fields that are stored with the text, or the reason why it is refused. */
export async function renderBody(body: string) {
  const rendered = await renderMarkdown(body)
  if ('html' in rendered) return { html: rendered.html, rendererVersion }
  if (rendered.reason === 'busy') return refuse('rate_limited')
  return refuse('invalid', undefined, [{ field: 'body', message: tooComplex }])
}

/**
 * For forms without JavaScript: the form is shown again, with the preview and what was typed. It stays
 * based on the version that the edit started from.
 */
export async function showPreview({ body, version }: { body: string; version?: number }) {
  const rendered = await renderBody(body)
  if (isActionError(rendered)) return rendered
  return {
    ...refuse('invalid', undefined, [{ field: 'preview', message: 'This is not saved yet.' }]),
    stored: { preview: rendered.html, ...(version && { version: String(version) }) },
  }
}

const tooComplex =
  'This text is too complex to display. Close open brackets, or use fewer links and less nesting.'
