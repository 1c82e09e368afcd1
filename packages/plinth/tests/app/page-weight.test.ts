import { expect, test } from 'vitest'
import { reportOf, requireWithinBudget, weighHtml } from '#testing/server/page-weight'

const rows = ['0:{"a":1}', '1:["$","tr",null,{"className":"a b","children":"Zoë"}]', '']
const script = `self.__next_f.push([1,${JSON.stringify(rows.join('\n'))}])`
const html = `<!DOCTYPE html><html><body><!-- note --><table><tbody>
<tr class="row"><td>Zoë</td></tr><tr class="row"><td title="a > b"><div><div>1</div></div></td></tr>
</tbody></table><form><input type="hidden" name="id"/><input name="q"></form>
<script nonce="abc">let a = "<tr>"</script><script>${script}</script></body></html>`

const weight = weighHtml(html)
const element = (name: string) => weight.elements.find((part) => part.name === name)
const attribute = (name: string) => weight.attributes.find((part) => part.name === name)
const bytes = (text: string) => Buffer.byteLength(text)

test('weighs markup, payload and other scripts, which add up to the page', () => {
  expect(weight.total).toBe(bytes(html))
  expect(weight.payload).toBe(bytes(script))
  expect(weight.scripts).toBe('let a = "<tr>"'.length)
  expect(weight.markup + weight.payload + weight.scripts).toBe(weight.total)
})

test('weighs elements by kind, with their contents, and nested ones once', () => {
  const first = '<tr class="row"><td>Zoë</td></tr>'
  const second = '<tr class="row"><td title="a > b"><div><div>1</div></div></td></tr>'
  expect(element('tr')).toEqual({ name: 'tr', count: 2, bytes: bytes(first + second) })
  const nested = '<div><div>1</div></div>'
  expect(element('div')).toEqual({ name: 'div', count: 2, bytes: nested.length })
  const hidden = '<input type="hidden" name="id"/>'
  expect(element('hidden input')).toMatchObject({ count: 1, bytes: hidden.length })
  expect(element('input')).toMatchObject({ count: 1, bytes: '<input name="q">'.length })
})

test('weighs attributes, and rows and class names of the payload', () => {
  expect(attribute('class')).toMatchObject({ count: 2, bytes: ' class="row"'.length * 2 })
  expect(attribute('title')).toMatchObject({ count: 1, bytes: ' title="a > b"'.length })
  expect(weight.rows[0]).toEqual({ name: 'tr', count: 1, bytes: bytes(rows[1] ?? '') })
  const classes = String.raw`\"className\":\"a b\"`
  expect(weight.payloadClasses).toMatchObject({ count: 1, bytes: classes.length })
})

test('a page over its budget fails with the list of what weighs most', () => {
  expect(() => requireWithinBudget('/page', html, 1)).not.toThrow()
  const large = html.replace('Zoë', 'x'.repeat(2048))
  expect(() => requireWithinBudget('/page', large, 2)).toThrow(
    /^\/page is 2\.\d KB of HTML\. Its budget is 2 KB\.\n {2}markup: 2\.\d KB\n +2\.\d KB {2}table\n/,
  )
  expect(reportOf(weighHtml(large))).toContainEqual(expect.stringMatching(/KB {2}tr × 2$/))
})
