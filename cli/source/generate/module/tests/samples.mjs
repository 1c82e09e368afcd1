/** A valid object as the API takes it. `user` is the email of a user that exists. */
export function sampleSource({ fields }, { user = 'viewer@example.com', index = 0 } = {}) {
  const values = fields.map(({ property, type, samples }) => {
    return `  ${property}: ${JSON.stringify(type === 'user' ? user : samples[index])},`
  })
  return `{\n${values.join('\n')}\n}`
}
