/**
 * Stands in for the packages of server actions. The server's bundle imports the mutations for the API
 * and never calls them as actions, and these packages cannot be loaded before Next has started.
 */
const unavailable = (name) => () => {
  throw new Error(`${name}() works in pages and server actions only.`)
}

module.exports = new Proxy({}, { get: (_, name) => unavailable(String(name)) })
