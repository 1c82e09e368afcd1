import { commands } from './commands.mjs'

export function overview() {
  const shown = Object.values(commands).filter(({ hidden }) => !hidden)
  const rows = [
    ...shown.map(({ usage, summary }) => [usage, summary]),
    ['plinth doctor', 'Check this installation for problems'],
  ]
  return `Plinth: create and maintain web applications.\n\n${columns(rows)}\n\nAll commands accept --json and --help.`
}

export function helpFor(name) {
  const { usage, summary, flagHelp = {} } = commands[name]
  const flags = Object.entries({ ...flagHelp, json: 'print JSON' })
  return `${usage}\n  ${summary}\n\n${columns(flags.map(([flag, text]) => [`--${flag}`, text]))}`
}

function columns(rows) {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}
