import 'server-only'
import { and, eq, isNull, lt, or } from 'drizzle-orm'
import { processState } from 'plinth/config/process-state'
import { database } from 'plinth/db/client'
import { rendererVersion, renderMarkdown } from '../markdown/render'
import { articles } from '../schema'

type Row = {
  id: string
  body: string
  version: number
  html: string | null
  rendererVersion: number | null
}

/** The stored HTML. If it is missing or of an older renderer, it is rendered and stored first. */
export async function currentHtml(row: Row): Promise<string | undefined> {
  const isCurrent = row.rendererVersion !== null && row.rendererVersion >= rendererVersion
  return isCurrent ? (row.html ?? undefined) : renderOnce(row)
}

const rendering = processState('content.rendering', () => new Map<string, Promise<Html>>())

type Html = string | undefined

/** Concurrent readers of one article share one rendering. */
function renderOnce(row: Row): Promise<Html> {
  const key = `${row.id} ${row.version}`
  const running = rendering.get(key) ?? render(row).finally(() => rendering.delete(key))
  rendering.set(key, running)
  return running
}

async function render({ id, body, version }: Row): Promise<Html> {
  const rendered = await renderMarkdown(body)
  if ('reason' in rendered && rendered.reason === 'busy') return undefined
  const html = 'html' in rendered ? rendered.html : null
  await database()
    .update(articles)
    .set({ html, rendererVersion })
    .where(and(eq(articles.id, id), eq(articles.version, version), isOutdated))
  return html ?? undefined
}

/** During a deployment, a process with an older renderer must not replace newer HTML. */
const isOutdated = or(
  isNull(articles.rendererVersion),
  lt(articles.rendererVersion, rendererVersion),
)
