import { CommandError } from '../../command-error.mjs'
import { configFile } from '../../template/providers.mjs'
import { has, readText } from '../installed-parts.mjs'
import { capitalize } from '../names.mjs'
import { providerEntry, settingsText, withProvider } from '../parts/provider.mjs'

const settingsFile = '.env.example'

export async function plan(app, [id], { oauth, url = `https://${id}.com` }) {
  const model = providerModel(id, url, oauth)
  const config = await readText(app, configFile)
  if (new RegExp(`['"]${id}['"]`).test(config)) {
    throw new CommandError(`${configFile} has ${id} already.`)
  }
  const changed = withProvider(config, model)
  if (changed === undefined) {
    throw new CommandError(
      `${configFile} has no list of providers. Add one: providers: [${providerEntry(model)}],`,
    )
  }
  const text = await readText(app, settingsFile)
  const isDescribed = text.includes(`# ${model.settings.clientId}=`)
  return {
    files: {},
    edited: {
      [configFile]: changed,
      ...(has(app, settingsFile) && !isDescribed
        ? { [settingsFile]: `${text.trimEnd()}\n\n${settingsText(model)}\n` }
        : {}),
    },
    notes: [
      `Register the app at ${model.name} with the callback URL AUTH_URL/api/auth/callback/${id}`,
      `Set ${model.settings.clientId} and ${model.settings.clientSecret}`,
    ],
    next: `Next: compare the entry in ${configFile} with the documentation of ${model.name}. npm run dev serves a development provider until it is set.`,
  }
}

function providerModel(id, url, isOAuth) {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id)) {
    throw new CommandError(
      `Invalid provider id: ${id}. Use lowercase letters, digits and hyphens, such as gitlab.`,
    )
  }
  if (!/^https:\/\/[^\s'"`\\]+$/.test(url) || !URL.canParse(url)) {
    throw new CommandError(`Invalid URL: ${url}. It must start with https://.`)
  }
  const prefix = `AUTH_${id.toUpperCase().replaceAll('-', '_')}`
  return {
    id,
    name: id.split('-').map(capitalize).join(' '),
    home: url.replace(/\/+$/, ''),
    isOAuth,
    settings: {
      clientId: `${prefix}_ID`,
      clientSecret: `${prefix}_SECRET`,
      url: `${prefix}_${isOAuth ? 'URL' : 'ISSUER'}`,
    },
  }
}
