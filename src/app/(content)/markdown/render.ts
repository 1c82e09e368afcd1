import 'server-only'
import { singleton } from 'plinth/config/singleton'
import { createRenderer, type Rendered } from './background-renderer'

/** Increment it with every change of the HTML: stored HTML of an older version is replaced. */
export const rendererVersion = 2

/** Off the event loop, within limits of time, memory and size. */
export function renderMarkdown(text: string): Promise<Rendered> {
  return singleton('content.renderer', () => createRenderer())(text)
}
