import { print } from './terminal.mjs'

export function wantsHelp(args) {
  return args.includes('--help') || args.includes('-h')
}

/**
 * @param {{ usage: string, summary: string, options?: Record<string, string> }} help
 */
export function printHelp({ usage, summary, options = {} }) {
  print(`${usage}\n  ${summary}`)
  const rows = Object.entries({ ...options, '--help': 'print this help' })
  const width = Math.max(...rows.map(([name]) => name.length))
  print(`\n${rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join('\n')}`)
}
