import 'server-only'
import { processState } from 'plinth/config/process-state'
import { createRenderer, type Rendered } from './background-renderer'

/** Increment it with every change of the HTML: stored HTML of an older version is replaced. */
export const rendererVersion = 3

/** Off the event loop, within limits of time, memory and size. */
export function renderMarkdown(text: string): Promise<Rendered> {
  return processState('content.renderer', () => createRenderer())(text)
}
