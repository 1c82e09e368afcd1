import 'server-only'
import { explainStartupError } from '@/server/explain-startup-error'
import { start } from '@/server/start'

export async function startUnderNext(modules: Parameters<typeof start>[0]): Promise<void> {
  try {
    await start(modules)
  } catch (error) {
    const reason = explainStartupError(error)
    if (reason === undefined) throw error
    process.stderr.write(`${reason}\n`)
    process.exit(1)
  }
}
