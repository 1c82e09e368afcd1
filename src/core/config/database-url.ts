/** One URL for each host of a database URL, and whether its server must take writes. */
export type DatabaseHosts = { urls: string[]; mustTakeWrites: boolean }

const attribute = 'target_session_attrs'
const takesWrites = ['read-write', 'primary']

/** What is wrong with it, as the rest of a sentence without the value. */
export function databaseUrlError(value: string): string | undefined {
  if (!/^postgres(ql)?:/i.test(value)) return notPostgres
  const { hosts } = split(value)
  const urls = urlsOf(value)
  if (hosts.length === 1) {
    if (!URL.canParse(value)) return notPostgres
  } else if (!urls.every((url) => URL.canParse(url) && new URL(url).hostname !== '')) {
    return 'has hosts that cannot be read; separate them with commas, such as a:5432,b:5432'
  }
  const wanted = new URL(urls[0] as string).searchParams.get(attribute)
  if (wanted === null || wanted === 'any' || takesWrites.includes(wanted)) return undefined
  return `has a ${attribute} that is not any, read-write or primary`
}

/** As libpq reads `postgres://user:password@a:5432,b:5433/name`. With several, writes are the default. */
export function splitDatabaseUrl(value: string): DatabaseHosts {
  const urls = urlsOf(value)
  const { searchParams } = new URL(urls[0] as string)
  const wanted = searchParams.get(attribute) ?? (urls.length > 1 ? 'read-write' : 'any')
  const mustTakeWrites = takesWrites.includes(wanted)
  return { urls: searchParams.has(attribute) ? urls.map(withoutAttribute) : urls, mustTakeWrites }
}

/** Not the driver's to decide. */
function withoutAttribute(value: string): string {
  const url = new URL(value)
  url.searchParams.delete(attribute)
  return url.href
}

function urlsOf(value: string): string[] {
  const { before, hosts, after } = split(value)
  return hosts.map((host) => before + host + after)
}

function split(value: string): { before: string; hosts: string[]; after: string } {
  const [, before = '', hosts = '', after = ''] =
    /^([^/]*\/\/(?:[^/?#]*@)?)([^@/?#]*)(.*)$/s.exec(value) ?? []
  if (before === '') return { before: value, hosts: [''], after: '' }
  return { before, hosts: hosts.split(','), after }
}

const notPostgres = 'must be a URL that starts with postgres:// or postgresql://'
