import 'server-only'
import { explainStart } from '@/core/host/explain'
import { start } from '@/core/start'

export async function startUnderNext(modules: Parameters<typeof start>[0]): Promise<void> {
  try {
    await start(modules)
  } catch (error) {
    const reason = explainStart(error)
    if (reason === undefined) throw error
    process.stderr.write(`${reason}\n`)
    process.exit(1)
  }
}
