import { readFileSync } from 'node:fs'
import { parseAllDocuments, parse as parseYaml, stringify } from 'yaml'

/**
 * Renders the chart without Helm. It knows only what the chart uses of Helm's templates: `if`, `else`,
 * `with`, `range`, values, pipelines and the functions below. Anything else is an error.
 */
export function renderChart(values: object, folder = 'deploy/chart'): Manifest[] {
  const defaults = parseYaml(readFileSync(`${folder}/values.yaml`, 'utf8'))
  const root = { Values: merge(defaults, values), Release: { Name: 'web', Service: 'Helm' } }
  const text = renderTemplate(readFileSync(`${folder}/templates/app.yaml`, 'utf8'), root)
  return parseManifests(text)
}

export type Manifest = {
  apiVersion: string
  kind: string
  metadata: {
    name: string
    labels: Record<string, string>
    annotations: Record<string, string>
  }
} & Record<
  string,
  // biome-ignore lint/suspicious/noExplicitAny: the schema of each kind is checked elsewhere.
  any
>

export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw document.errors[0]
    return document.toJS()
  })
}

/** As Helm merges values: maps by key, everything else is replaced. */
function merge(base: unknown, over: unknown): unknown {
  if (!isMap(base) || !isMap(over)) return over
  const keys = new Set([...Object.keys(base), ...Object.keys(over)])
  return Object.fromEntries(
    [...keys].map((key) => [key, key in over ? merge(base[key], over[key]) : base[key]]),
  )
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type Scope = { root: unknown; dot: unknown; variables: Record<string, unknown> }
type Token = { text: string } | { action: string }

export function renderTemplate(template: string, root: unknown): string {
  const tokens = tokenize(template)
  const { output, rest } = renderBlock(tokens, { root, dot: root, variables: {} }, true)
  if (rest.length > 0) throw new Error('{{ end }} without a start')
  return output
}

/** `{{-` removes the white space before the action, and `-}}` that after it. */
function tokenize(template: string): Token[] {
  const tokens: Token[] = []
  let end = 0
  let trimNext = false
  for (const match of template.matchAll(/\{\{(-?) ?((?:"[^"]*"|[^"}])*?) ?(-?)\}\}/g)) {
    let text = template.slice(end, match.index)
    if (trimNext) text = text.trimStart()
    if (match[1]) text = text.trimEnd()
    tokens.push({ text }, { action: match[2] ?? '' })
    trimNext = match[3] === '-'
    end = match.index + match[0].length
  }
  const last = template.slice(end)
  if (/\{\{/.test(last)) throw new Error(`Not closed: ${last.slice(0, 40)}`)
  return [...tokens, { text: trimNext ? last.trimStart() : last }]
}

/** Up to the `end` or `else` of this block. If it is not active, nothing is evaluated. */
function renderBlock(tokens: Token[], scope: Scope, active: boolean) {
  let output = ''
  let rest = tokens
  while (rest.length > 0) {
    const [token, ...after] = rest as [Token, ...Token[]]
    rest = after
    if ('text' in token) output += active ? token.text : ''
    else if (/^(end|else)$/.test(token.action)) return { output, rest, closedBy: token.action }
    else if (/^(if|with|range) /.test(token.action)) {
      const block = renderControl(token.action, rest, scope, active)
      output += block.output
      rest = block.rest
    } else if (active) output += format(evaluate(token.action, scope))
  }
  return { output, rest, closedBy: undefined }
}

function renderControl(action: string, tokens: Token[], scope: Scope, active: boolean) {
  const { value, scopes } = active ? scopesOf(action, scope) : { value: undefined, scopes: [] }
  const skipped = renderBlock(tokens, scope, false)
  const output = scopes.map((inner) => renderBlock(tokens, inner, true).output).join('')
  if (skipped.closedBy === 'end') return { output, rest: skipped.rest }
  const otherwise = renderBlock(skipped.rest, scope, active && !isTrue(value))
  if (otherwise.closedBy !== 'end') throw new Error(`{{ ${action} }} has no end`)
  return { output: output + otherwise.output, rest: otherwise.rest }
}

function scopesOf(action: string, scope: Scope): { value: unknown; scopes: Scope[] } {
  const [, keyword, names, expression = ''] =
    /^(if|with|range) (?:(\$\w+, \$\w+) := )?(.+)$/.exec(action) ?? []
  const value = evaluate(expression, scope)
  if (!isTrue(value)) return { value, scopes: [] }
  if (keyword === 'if') return { value, scopes: [scope] }
  if (keyword === 'with') return { value, scopes: [{ ...scope, dot: value }] }
  const entries = Object.entries(value as object)
  const [key = '', item = ''] = names?.split(', ') ?? []
  const sorted = Array.isArray(value) ? entries : entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    value,
    scopes: sorted.map(([name, dot]) => ({
      ...scope,
      dot,
      variables: { [key]: name, [item]: dot },
    })),
  }
}

function isTrue(value: unknown): boolean {
  if (isMap(value)) return Object.keys(value).length > 0
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

/** `function argument | function argument`: the value on the left is the last argument. */
function evaluate(expression: string, scope: Scope): unknown {
  let piped: unknown[] = []
  for (const command of expression.split(/ \| (?=(?:[^"]*"[^"]*")*[^"]*$)/)) {
    const [first = '', ...words] = command.match(/"[^"]*"|\S+/g) ?? []
    const found = functions[first]
    if (found) piped = [found(...words.map((word) => lookUp(word, scope)), ...piped)]
    else if (words.length === 0 && piped.length === 0) piped = [lookUp(first, scope)]
    else throw new Error(`Unknown function: ${command}`)
  }
  return piped[0]
}

function lookUp(word: string, { root, dot, variables }: Scope): unknown {
  if (/^"/.test(word)) return JSON.parse(word)
  if (/^\d+$/.test(word)) return Number(word)
  if (word in variables) return variables[word]
  if (word === '.') return dot
  if (!/^(\.\w+)+$/.test(word)) throw new Error(`Unknown expression: ${word}`)
  // A dot that is no map any more would make Helm fail.
  const start = dot === root ? root : undefined
  return word
    .slice(1)
    .split('.')
    .reduce((value, key) => {
      if (!isMap(value) || !(key in value)) throw new Error(`There is no value ${word}`)
      return value[key]
    }, start as unknown)
}

// biome-ignore lint/suspicious/noExplicitAny: arguments of templates have no types.
const functions: Record<string, (...args: any[]) => unknown> = {
  int: (value) => Math.trunc(Number(value)),
  nindent: (width: number, text: string) => `\n${text.replaceAll(/^(?=.)/gm, ' '.repeat(width))}`,
  not: (value) => !isTrue(value),
  quote: (value) => JSON.stringify(String(value)),
  required: (message, value) => {
    if (value === undefined || value === null || value === '') throw new Error(message)
    return value
  },
  toYaml: (value) => stringify(value).trimEnd(),
}

function format(value: unknown): string {
  if (typeof value === 'object') throw new Error('A map or a list needs toYaml')
  return String(value)
}
