import markdownIt from 'markdown-it'

/** Prevents XSS: HTML in the text is escaped, and the library rejects `javascript:` links by default. */
const renderer = markdownIt({ html: false, linkify: true, typographer: true })

export function Markdown({ text }: { text: string }) {
  return (
    <div
      className="prose"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the renderer above escapes HTML
      dangerouslySetInnerHTML={{ __html: renderer.render(text) }}
    />
  )
}
