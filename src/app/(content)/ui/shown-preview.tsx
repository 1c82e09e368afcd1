import { Markdown } from './markdown'

/** Below the form. */
export default function ShownPreview({ html }: { html: string }) {
  return (
    <section aria-labelledby="preview-title">
      <h2 id="preview-title" className="text-lg">
        Preview
      </h2>
      <p className="mb-4 text-sm text-muted">This is not saved yet.</p>
      <Markdown text="" html={html} />
    </section>
  )
}
