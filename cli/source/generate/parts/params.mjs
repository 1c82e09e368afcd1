/** The schema of the parameters of a path. An invalid one is a 404. */
export function paramsSource(parameters) {
  const fields = parameters.map((name) => {
    const schema = /^id$|Id$/.test(name) ? 'z.uuid()' : 'z.string().max(200)'
    return `${name}: ${schema}`
  })
  return `z.object({ ${fields.join(', ')} })`
}
