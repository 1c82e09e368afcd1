import { gzipSync } from 'node:zlib'

/** All JavaScript that a page loads, in compressed kilobytes. */
export async function scriptSize(origin, path) {
  const page = await textOf(origin + path)
  const tags = [...page.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag)
  const modern = tags.filter((tag) => !/\bnomodule\b/i.test(tag))
  const sources = new Set(modern.flatMap((tag) => / src="([^"]+)"/.exec(tag)?.[1] ?? []))
  let bytes = 0
  for (const source of sources) bytes += gzipSync(await textOf(new URL(source, origin))).length
  return bytes / 1024
}

async function textOf(url) {
  const response = await fetch(url, { redirect: 'error' })
  if (!response.ok) throw new Error(`${url} returned ${response.status}.`)
  return response.text()
}
