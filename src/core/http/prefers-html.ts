import { accepts } from 'hono/accepts'
import type { ApiContext } from '@/core/http/context'

export function prefersHtml(c: ApiContext): boolean {
  const supports = ['application/json', 'text/html']
  const preferred = accepts(c, { header: 'Accept', supports, default: 'application/json' })
  return preferred === 'text/html'
}
