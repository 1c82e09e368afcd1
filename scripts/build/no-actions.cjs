/**
 * Stands in for the packages of server actions. The server's bundle imports the mutations for the API
 * and never calls them as actions, and these packages cannot be loaded before Next has started.
 */
const names = [
  ...['refresh', 'revalidatePath', 'revalidateTag', 'updateTag'],
  ...['cookies', 'draftMode', 'headers'],
  ...['forbidden', 'notFound', 'permanentRedirect', 'redirect', 'unauthorized', 'unstable_rethrow'],
]

const unavailable = (name) => () => {
  throw new Error(`${name}() works in pages and server actions only.`)
}

module.exports = Object.fromEntries(names.map((name) => [name, unavailable(name)]))
