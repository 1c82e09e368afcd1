import { readFileSync } from 'node:fs'
import { connection } from 'next/server'
import { createElement } from 'react'

let markup

/** The elements of another page, which MARKUP names, and nothing else: made anew for each request. */
export default async function SamePage() {
  await connection()
  markup ??= JSON.parse(readFileSync(process.env.MARKUP, 'utf8'))
  return markup.map(element)
}

function element(node, key) {
  if (typeof node === 'string') return node
  const [tag, attributes, ...children] = node
  return createElement(tag, { ...attributes, key }, ...children.map(element))
}
