import { expect, test } from 'vitest'
import { type Command, formatText } from '../ui/editor/format-text'

/** `‹` and `›` mark the selection. */
function format(command: Command, marked: string): string {
  const start = marked.indexOf('‹')
  const end = marked.indexOf('›') - 1
  const text = marked.replace(/[‹›]/g, '')
  const edit = formatText(command, { text, start, end })
  const result = text.slice(0, edit.start) + edit.text + text.slice(edit.end)
  const [from, to] = edit.select
  return `${result.slice(0, from)}‹${result.slice(from, to)}›${result.slice(to)}`
}

test.each<[Command, string, string]>([
  ['bold', 'a ‹b› c', 'a **‹b›** c'],
  ['bold', 'a **‹b›** c', 'a ‹b› c'],
  ['bold', '‹›', '**‹›**'],
  ['italic', '‹a›', '_‹a›_'],
  ['italic', '_‹a›_', '‹a›'],
  ['code', 'a ‹b›', 'a `‹b›`'],
  ['code', '‹a\nb›', '‹```\na\nb\n```\n›'],
  ['link', 'a ‹b› c', 'a [b](‹https://›) c'],
  ['link', '‹https://example.com›', '[‹›](https://example.com)'],
  ['heading', 'one\ntw‹›o', 'one\n## two‹›'],
  ['heading', '## t‹›wo', 'two‹›'],
  ['list', 'a\n‹b\nc›\nd', 'a\n‹- b\n- c›\nd'],
  ['list', '‹- b\n- c›', '‹b\nc›'],
  ['list', '‹- b\nc›', '‹- b\n- c›'],
  ['quote', '‹›', '> ‹›'],
])('%s turns %j into %j', (command, before, after) => {
  expect(format(command, before)).toBe(after)
})
