import { readFileSync } from 'node:fs'
import { connection } from 'next/server'
import { createElement } from 'react'

let markup

/** Renders the elements in the file MARKUP, dynamically for each request. */
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
