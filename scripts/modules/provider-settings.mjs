import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { inRoot } from '../paths.mjs'
import { findProviders, providerName, providerSettings } from './find-modules.mjs'

/** Describes the settings of every installed provider. Paragraphs that are there are not changed. */
export const providerSettingsList = {
  path: '.env.example',
  listedFrom: 'the provider files',
  generate: async () => {
    if (!existsSync(inRoot('.env.example'))) return undefined
    const text = await readFile(inRoot('.env.example'), 'utf8')
    const missing = findProviders().filter((id) => !isDescribed(text, providerSettings(id)))
    if (missing.length === 0) return text
    return `${[text.trimEnd(), ...missing.map(paragraph)].join('\n\n')}\n`
  },
}

function isDescribed(text, [clientId]) {
  return clientId === undefined || text.includes(`${clientId}=`)
}

/** As `plinth generate provider` writes it. */
function paragraph(id) {
  const settings = providerSettings(id)
  const isOpenId = settings.some((name) => name.endsWith('_ISSUER'))
  return [
    `# Sign-in with ${providerName(id)} requires the id and the secret.`,
    isOpenId
      ? '# Set the issuer for another OpenID Connect server.'
      : '# Set the URL for another server with the same endpoints.',
    ...settings.map((name) => `# ${name}=`),
  ].join('\n')
}
