import { run } from '../programs.mjs'

/**
 * Whether others can clone this URL. Paths and `file:` exist on one machine only; other transports of
 * git are not encrypted, or run programs.
 */
export function isRemoteUrl(text) {
  return /^(https|ssh):\/\/[^\s-]\S*$/.test(text) || /^[\w.]+@[\w.-]+:[\w~./-]+$/.test(text)
}

/** The URL of `origin`, if others can use it. As configured, without rewriting and passwords. */
export async function remoteUrlOf(repository) {
  const { code, out } = await run('git', ['config', '--get', 'remote.origin.url'], {
    cwd: repository,
  })
  const url = out.toString().trim()
  return code === 0 && isRemoteUrl(url) ? withoutPassword(url) : undefined
}

function withoutPassword(url) {
  if (!url.includes('://')) return url
  const parsed = new URL(url)
  parsed.password = ''
  // A user name of https is often a token; one of ssh is needed.
  if (parsed.protocol === 'https:') parsed.username = ''
  return parsed.href
}

/** Whether a branch of `origin` has the commit, as far as this clone knows. */
export async function isPushed(repository, commit) {
  const args = ['branch', '--remotes', '--contains', commit, '--list', 'origin/*']
  const { code, out } = await run('git', args, { cwd: repository })
  return code === 0 && out.length > 0
}
