export class DocumentError extends Error {
  constructor(line: number, message: string) {
    super(`Line ${line}: ${message}`)
  }
}

type Action = 'create' | 'replace' | 'append' | 'with' | 'run' | 'output'

/** A code block and the sentence before it. */
export type AnnouncedBlock = {
  line: number
  action: Action
  path: string
  language: string
  text: string
}

export function* announcedBlocks(markdown: string): Generator<AnnouncedBlock> {
  let sentence: { line: number; action: Action; path: string } | undefined
  for (const part of partsOf(markdown)) {
    if ('paragraph' in part) {
      requireNoSentence()
      sentence = readSentence(part)
    } else {
      const { language, text, line } = part
      if (!sentence) throw new DocumentError(line, 'No sentence says what this code block is for.')
      yield { ...sentence, language, text }
      sentence = undefined
    }
  }
  requireNoSentence()

  function requireNoSentence() {
    if (sentence) throw new DocumentError(sentence.line, 'No code block follows this sentence.')
  }
}

const sentences: readonly [RegExp, Action][] = [
  [/(?:^|[.:] )Create `([^`]+)`:$/, 'create'],
  [/(?:^|[.:] )In `([^`]+)`, replace:$/, 'replace'],
  [/(?:^|[.:] )In `([^`]+)`, append:$/, 'append'],
  [/(?:^|[.:] )With():$/, 'with'],
  [/(?:^|[.:] )Run():$/, 'run'],
  [/(?:^|[.:] )It prints():$/, 'output'],
]

function readSentence({ line, paragraph }: Paragraph) {
  for (const [pattern, action] of sentences) {
    const path = pattern.exec(paragraph)?.[1]
    if (path === undefined) continue
    if (/^\/|(^|\/)\.\.(\/|$)/.test(path)) {
      throw new DocumentError(line, `${path} is not a path in the project.`)
    }
    return { line, action, path }
  }
  return undefined
}

type Paragraph = { line: number; paragraph: string }
type Block = { line: number; language: string; text: string }

function* partsOf(markdown: string): Generator<Paragraph | Block> {
  const lines = markdown.split('\n')
  let paragraph: string[] = []
  for (let index = 0; index < lines.length; index += 1) {
    const text = lines[index] ?? ''
    if (/^\s+(```|~~~)|^~~~/.test(text)) {
      throw new DocumentError(index + 1, 'A code block must start with ``` in the first column.')
    }
    const [, fence, language = ''] = /^(`{3,})(.*)$/.exec(text) ?? []
    if (fence === undefined && text.trim() !== '') {
      paragraph.push(text.trim())
      continue
    }
    if (paragraph.length > 0) yield { line: index, paragraph: paragraph.join(' ') }
    paragraph = []
    if (fence === undefined) continue
    const end = lines.indexOf(fence, index + 1)
    if (end < 0) throw new DocumentError(index + 1, 'This code block has no end.')
    const block = lines.slice(index + 1, end).map((inside) => `${inside}\n`)
    yield { line: index + 1, language, text: block.join('') }
    index = end
  }
  if (paragraph.length > 0) yield { line: lines.length, paragraph: paragraph.join(' ') }
}
