import markdownIt from 'markdown-it'

/** No HTML of the author's gets through, and no link that runs a script: the library's defaults. */
const renderer = markdownIt({ html: false, linkify: true, typographer: true })

export function Markdown({ text }: { text: string }) {
  return (
    <div
      className="prose"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: it is made by the renderer above
      dangerouslySetInnerHTML={{ __html: renderer.render(text) }}
    />
  )
}
