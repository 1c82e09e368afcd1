/** The app's own README: its name, and a line for each module it has. */
export function readmeFor(text, name, modules) {
  const rows = modules.map(({ id, description }) => `- \`${id}\`: ${description}`)
  const list = rows.length > 0 ? rows.join('\n') : 'None yet: `npx plinth add account`, for one.'
  return text.replaceAll('{{name}}', name).replaceAll('{{modules}}', list)
}
