import { createInterface } from 'node:readline/promises'
import { CommandError } from '../command-error.mjs'
import { didYouMean } from '../did-you-mean.mjs'
import { canceled } from '../interrupt.mjs'

/** Prompts in plain lines, which every terminal and screen reader supports. */
export async function withPrompts(work) {
  const reader = createInterface({ input: process.stdin, output: process.stdout })
  // Ctrl-C or Ctrl-D at a prompt: nothing has been written yet.
  const closed = new Promise((_, reject) => {
    reader.once('close', () => reject(canceled('\nCanceled. Nothing was created.')))
  })
  closed.catch(() => {})
  const prompt = (question) => Promise.race([reader.question(question), closed])
  try {
    return await work({
      promptText: (question, initial, parse) =>
        promptUntilValid(prompt, `${question} (${initial}): `, (line) =>
          parse(line.trim() || initial),
        ),
      /** `choices` are pairs of an id and its description. All are the default. */
      promptList: (question, choices) =>
        promptUntilValid(prompt, listQuestion(question, choices), (line) =>
          parseChoices(
            line,
            choices.map(([id]) => id),
          ),
        ),
      promptYes: (question) => promptUntilValid(prompt, `${question} (yes): `, parseYes),
    })
  } finally {
    reader.close()
  }
}

export function canPrompt() {
  return Boolean(process.stdin.isTTY && process.stdout.isTTY)
}

/** Parses `all`, `none`, or names and numbers separated by commas or spaces. */
export function parseChoices(line, available, initial = available) {
  const words = line
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
  if (words.length === 0) return initial
  if (words.length === 1 && words[0] === 'all') return available
  if (words.length === 1 && words[0] === 'none') return []
  return words.map((word) => {
    const found = available[Number(word) - 1] ?? available.find((id) => id === word)
    if (found) return found
    throw new CommandError(
      `Unknown choice: ${word}.${didYouMean(word, available)} Available: ${available.join(', ') || 'none'}.`,
    )
  })
}

function parseYes(line) {
  const word = line.trim().toLowerCase()
  if (['', 'y', 'yes'].includes(word)) return true
  if (['n', 'no'].includes(word)) return false
  throw new CommandError('Answer yes or no.')
}

function listQuestion(question, choices) {
  const width = Math.max(0, ...choices.map(([id]) => id.length))
  const list = choices.map(([id, text], index) => `  ${index + 1} ${id.padEnd(width)}  ${text}\n`)
  return `\n${question}\n${list.join('')}Names or numbers, all, or none (all): `
}

async function promptUntilValid(prompt, question, parse) {
  for (;;) {
    try {
      return parse(await prompt(question))
    } catch (error) {
      if (!(error instanceof CommandError) || error.exitCode) throw error
      process.stdout.write(`${error.message}\n`)
    }
  }
}
