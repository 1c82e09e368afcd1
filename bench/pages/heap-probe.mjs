import { createServer } from 'node:http'
import { setImmediate } from 'node:timers/promises'

const megabyte = 1024 * 1024

/**
 * Preloaded into the measured server with `--expose-gc`. Responds on its own port with its memory and
 * the open handles, after a full collection unless the path is `/now`.
 */
createServer(async ({ url }, response) => {
  if (url !== '/now') await collect()
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage()
  const handles = process.getActiveResourcesInfo().filter((name) => name !== 'Timeout').length
  response.end(
    JSON.stringify({
      resident: rss / megabyte,
      heap: heapTotal / megabyte,
      used: heapUsed / megabyte,
      external: external / megabyte,
      megabytes: (heapUsed + external) / megabyte,
      handles,
    }),
  )
})
  .listen(Number(process.env.HEAP_PROBE_PORT), '127.0.0.1')
  .unref()

/** Finalizers run after a collection and release more, which the next one collects. */
async function collect() {
  for (let pass = 0; pass < 5; pass += 1) {
    globalThis.gc()
    await setImmediate()
  }
}
