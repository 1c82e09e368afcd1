interface MarkdownProps {
  text: string
  /** Rendered from the text. */
  html: string | undefined
}

export function Markdown({ text, html }: MarkdownProps) {
  if (html === undefined) return <PlainText text={text} />
  return (
    <div
      className="prose"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: markdown/convert.mjs escapes HTML
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}

function PlainText({ text }: { text: string }) {
  return (
    <>
      <p className="text-sm text-muted">
        This article could not be formatted. It is shown as text.
      </p>
      <p dir="auto" className="mt-4 break-words whitespace-pre-wrap">
        {text}
      </p>
    </>
  )
}
