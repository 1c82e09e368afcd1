import { type AnnouncedBlock, announcedBlocks, DocumentError } from './announced-blocks'

/**
 * A document whose steps a test can follow. It is Markdown, with text wherever it helps. Each code
 * block follows a paragraph that ends with one of these sentences:
 *
 * - ``Create `path`:`` writes a file that does not exist yet.
 * - ``In `path`, replace:`` and, after its block, `With:`. The first block is whole lines of the file,
 *   which has them exactly once.
 * - ``In `path`, append:`` adds an empty line and these lines at the end.
 * - `Run:` is a `sh` block, which succeeds.
 * - `It prints:` after a `Run:` block is a `text` block. The output has these lines in this order,
 *   among others; `…` stands for any text.
 *
 * Everything else that looks like a step is an error: a block without such a sentence, a sentence
 * without its block, a block that is indented or never closed.
 */
export type Step =
  | { kind: 'create' | 'append'; path: string; text: string }
  | { kind: 'replace'; path: string; text: string; replacement: string }
  | { kind: 'run'; command: string; output?: string }

export function parseDocument(markdown: string): Step[] {
  const steps: Step[] = []
  const blocks = [...announcedBlocks(markdown)]
  while (blocks.length > 0) steps.push(takeStep(blocks))
  return steps
}

function takeStep(blocks: AnnouncedBlock[]): Step {
  const [block] = blocks.splice(0, 1) as [AnnouncedBlock]
  const { line, action, path, text } = block
  switch (action) {
    case 'create':
    case 'append':
      return { kind: action, path, text }
    case 'replace':
      return { kind: 'replace', path, text, replacement: takeReplacement(block, blocks) }
    case 'run':
      expectLanguage(block, 'sh')
      return { kind: 'run', command: text, ...takeOutput(blocks) }
    case 'with':
      throw new DocumentError(line, '`With:` follows no `replace:`.')
    case 'output':
      throw new DocumentError(line, '`It prints:` follows no `Run:`.')
  }
}

function takeReplacement({ line }: AnnouncedBlock, blocks: AnnouncedBlock[]): string {
  if (blocks[0]?.action !== 'with') throw new DocumentError(line, 'No `With:` follows.')
  return blocks.splice(0, 1)[0]?.text ?? ''
}

function takeOutput(blocks: AnnouncedBlock[]): { output?: string } {
  if (blocks[0]?.action !== 'output') return {}
  const [block] = blocks.splice(0, 1) as [AnnouncedBlock]
  expectLanguage(block, 'text')
  return { output: block.text }
}

function expectLanguage({ line, language }: AnnouncedBlock, expected: string): void {
  if (language !== expected) throw new DocumentError(line, `This code block must be ${expected}.`)
}
