import { commands } from './commands.mjs'

export function overview() {
  const shown = Object.values(commands).filter(({ hidden }) => !hidden)
  const rows = [
    ...shown.map(({ usage, summary }) => [usage, summary]),
    ['plinth doctor', 'Check this installation for problems'],
  ]
  return `Plinth: create and maintain web applications.\n\n${columns(rows)}\n\nAll commands accept --json and --help.`
}

/** `kind` is the first argument of generate. */
export async function helpFor(name, kind) {
  const command = commands[name]
  if (command.kinds) return kindHelp(command, kind)
  const { usage, summary, flagHelp = {}, choices } = command
  const lists = Object.entries((await choices?.()) ?? {})
  return [
    `${usage}\n  ${summary}`,
    flagColumns(flagHelp),
    ...lists.map(([title, rows]) => `${title}:\n${columns(rows)}`),
  ].join('\n\n')
}

function kindHelp({ usage, summary, kinds }, name) {
  if (name === undefined || !Object.hasOwn(kinds, name)) {
    const rows = Object.values(kinds).map((kind) => [kind.usage, kind.summary])
    return `${usage}\n  ${summary}\n\n${columns(rows)}\n\nFor more: npx plinth generate <kind> --help`
  }
  const kind = kinds[name]
  const parts = [
    `${kind.usage}\n  ${kind.summary}`,
    columns(Object.entries(kind.arguments)),
    ...(kind.types ? [`Types of fields:\n${columns(Object.entries(kind.types))}`] : []),
    flagColumns({ ...kind.flagHelp, 'dry-run': 'show the files without writing them' }),
    `Example:\n  ${kind.example}`,
  ]
  return parts.join('\n\n')
}

function flagColumns(flagHelp) {
  const flags = Object.entries({ ...flagHelp, json: 'print JSON', help: 'print this help' })
  return columns(flags.map(([flag, text]) => [`--${flag}`, text]))
}

function columns(rows) {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}
