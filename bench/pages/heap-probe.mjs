import { createServer } from 'node:http'
import { setImmediate } from 'node:timers/promises'

/**
 * Preloaded into the measured server with `--expose-gc`. Responds on its own port with the heap and
 * the open handles after a full collection.
 */
createServer(async (_, response) => {
  // Finalizers run after a collection and release more, which the next one collects.
  for (let pass = 0; pass < 5; pass += 1) {
    globalThis.gc()
    await setImmediate()
  }
  const { heapUsed, external } = process.memoryUsage()
  const handles = process.getActiveResourcesInfo().filter((name) => name !== 'Timeout').length
  response.end(JSON.stringify({ megabytes: (heapUsed + external) / 1024 / 1024, handles }))
})
  .listen(Number(process.env.HEAP_PROBE_PORT), '127.0.0.1')
  .unref()
