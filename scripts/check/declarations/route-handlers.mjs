const api = 'src/app/api/[[...path]]/route.ts'

/** A file `route.dev.ts` exists in development only. */
export function findRouteHandlers(sources) {
  return [...sources.keys()]
    .filter((path) => /^src\/app\/(.*\/)?route\.tsx?$/.test(path) && path !== api)
    .map(
      (path) =>
        `${path}: declare it with route({ … }) in the module's api.ts, so that it is authorized; ${api} serves it.`,
    )
}
