import { parseArgs } from 'node:util'
import { CommandError } from '../packages/plinth/scripts/terminal.mjs'

/**
 * @param {string[]} args
 * @param {string[]} families
 */
export function parseOptions(args, families) {
  const { values, positionals } = parse(args)
  const urls = positionals.filter((value) => value !== 'quick')
  if (urls.length > 1) throw new CommandError('Give one URL at most.')
  return {
    url: urls[0] === undefined ? undefined : loopbackOrigin(urls[0]),
    quick: values.quick || positionals.includes('quick'),
    only: selectFamilies(values.only, families),
    account: accountFrom(values),
  }
}

function parse(args) {
  const text = { type: 'string' }
  const options = {
    quick: { type: 'boolean', default: false },
    only: { ...text, multiple: true, default: [] },
    email: text,
    password: text,
  }
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new CommandError(error.message)
  }
}

/** A typing error must not attack another machine. */
function loopbackOrigin(text) {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw new CommandError(`Not a URL: ${text}`)
  if (!/^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)) {
    throw new CommandError(
      `Refused: ${url.hostname} is not a loopback address. Attacks run against this machine only.`,
    )
  }
  return url.origin
}

function selectFamilies(names, families) {
  const selected = names.flatMap((name) => name.split(','))
  const unknown = selected.filter((name) => !families.includes(name))
  if (unknown.length > 0) {
    throw new CommandError(
      `Unknown family: ${unknown.join(', ')}. Available: ${families.join(', ')}.`,
    )
  }
  return families.filter((name) => selected.length === 0 || selected.includes(name))
}

function accountFrom({ email = process.env.ATTACK_EMAIL, password }) {
  const given = password ?? process.env.ATTACK_PASSWORD
  return email && given ? { email, password: given } : undefined
}
