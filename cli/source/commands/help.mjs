import { commands } from './commands.mjs'

export function overview() {
  const shown = Object.values(commands).filter(({ hidden }) => !hidden)
  const rows = [
    ...shown.map(({ uses, does }) => [uses, does]),
    ['plinth doctor', 'what is wrong with this installation'],
  ]
  return `Plinth: a web application template that stays alive.\n\n${columns(rows)}\n\n--json answers with JSON; <command> --help says more.`
}

export function helpFor(name) {
  const { uses, does, says = {} } = commands[name]
  const flags = Object.entries({ ...says, json: 'answer with JSON' })
  return `${uses}\n  ${does}\n\n${columns(flags.map(([flag, text]) => [`--${flag}`, text]))}`
}

function columns(rows) {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}
