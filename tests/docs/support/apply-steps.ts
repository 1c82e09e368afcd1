import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from '../../cli/support/run'
import type { Step } from './parse-document'

/** Runs a command of a document and returns its output. Throws if it fails. */
export type RunCommand = (command: string, folder: string) => string | Promise<string>

/** Follows the steps in a folder and returns the paths of the files that they change. */
export async function applySteps(
  steps: readonly Step[],
  folder: string,
  runCommand: RunCommand = runInShell,
): Promise<string[]> {
  const changed = new Set<string>()
  for (const step of steps) {
    if (step.kind === 'run') {
      const output = await runCommand(step.command, folder)
      if (step.output !== undefined) expectOutput(step.command, output, step.output)
    } else {
      changeFile(step, join(folder, step.path))
      changed.add(step.path)
    }
  }
  return [...changed]
}

export function runInShell(command: string, folder: string): string {
  const { code, out, err } = run('bash', ['-euo', 'pipefail', '-c', command], folder)
  if (code !== 0) throw new Error(`Exit code ${code}: ${command}${out}${err}`)
  return out + err
}

function changeFile(step: Exclude<Step, { kind: 'run' }>, path: string): void {
  const exists = existsSync(path)
  if (exists === (step.kind === 'create')) {
    throw new Error(`${step.path} ${exists ? 'already exists' : 'does not exist'}.`)
  }
  if (step.kind === 'replace') writeFileSync(path, replaceLines(step, readFileSync(path, 'utf8')))
  else if (step.kind === 'append') appendFileSync(path, `\n${step.text.trimStart()}`)
  else {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, step.text)
  }
}

function replaceLines(
  { path, text, replacement }: Extract<Step, { kind: 'replace' }>,
  source: string,
): string {
  const parts = `\n${source}`.split(`\n${text}`)
  if (parts.length === 2) return parts.join(`\n${replacement}`).slice(1)
  throw new Error(`${path} has these lines ${parts.length - 1} times, not once:\n${text}`)
}

function expectOutput(command: string, output: string, expected: string): void {
  const lines = expected.trimEnd().split('\n')
  const pattern = lines
    .map((line) => line.split('…').map(escapeRegExp).join('.*'))
    .join('[\\s\\S]*')
  if (new RegExp(pattern).test(output)) return
  throw new Error(`${command}printed:\n${output}\ninstead of:\n${expected}`)
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
