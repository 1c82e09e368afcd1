import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type BuildActions = {
  /** The id that an action has now, if this is the id of a former name. */
  presentId(id: string): string
  isKnown(id: string): boolean
}

/** From the build: the ids of its server actions. */
export function readBuildActions(file = join(process.cwd(), 'dist/actions.json')): BuildActions {
  const actions = JSON.parse(readFileSync(file, 'utf8')) as {
    known: string[]
    /** By the former id without its first byte, which tells about the arguments. */
    former: Record<string, string>
  }
  const known = new Set(actions.known)
  const former = new Map(Object.entries(actions.former))
  return {
    presentId: (id) => former.get(id.slice(2)) ?? id,
    isKnown: (id) => known.has(id),
  }
}
