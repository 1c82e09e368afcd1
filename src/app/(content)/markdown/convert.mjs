import markdownIt from 'markdown-it'
import { addBlocks } from './blocks.mjs'
import { addFootnotes } from './footnotes.mjs'
import { addImages, resolve } from './images.mjs'
import { addTaskLists } from './task-lists.mjs'

/** An ordinary text of 50,000 characters needs a few thousand; `![` repeated 25,000 times, ten million. */
const maxWork = 1_000_000

const linkProtocols = ['http:', 'https:', 'mailto:', 'tel:']

// Prevents XSS together with the allowlist of protocols: HTML in the text is escaped.
const converter = markdownIt({ html: false, linkify: true, typographer: true })
converter.use(addFootnotes).use(addTaskLists).use(addImages).use(addBlocks)
let work = 0

/** Throws if the text is too costly. */
export function convertToHtml(text) {
  work = 0
  return converter.render(text)
}

converter.validateLink = (url) => linkProtocols.includes(resolve(url)?.protocol)

// Each unclosed bracket reads the rest of its paragraph again.
const { skipToken } = converter.inline
converter.inline.skipToken = function countWork(state) {
  spend(1)
  return skipToken.call(this, state)
}

// A long URL that is defined once can be used thousands of times.
const { renderAttrs } = converter.renderer
converter.renderer.renderAttrs = function countLength(token) {
  const attributes = renderAttrs.call(this, token)
  spend(attributes.length)
  return attributes
}

function spend(units) {
  work += units
  if (work > maxWork) throw new Error('too costly')
}
