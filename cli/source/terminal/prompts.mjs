import { createInterface } from 'node:readline/promises'
import { CommandError } from '../command-error.mjs'

/** Prompts in plain lines, which every terminal and screen reader supports. */
export async function withPrompts(work) {
  const reader = createInterface({ input: process.stdin, output: process.stdout })
  // Ctrl-C or Ctrl-D at a prompt: nothing has been written yet.
  const closed = new Promise((_, reject) => {
    reader.once('close', () => reject(new PromptClosed('\nCanceled. Nothing was created.')))
  })
  closed.catch(() => {})
  const prompt = (question) => Promise.race([reader.question(question), closed])
  try {
    return await work({
      promptText: (question, initial) =>
        promptUntilValid(prompt, `${question} (${initial}): `, (line) => line.trim() || initial),
      promptList: (question, available, initial) =>
        promptUntilValid(prompt, listQuestion(question, available, initial), (line) =>
          parseChoices(line, available, initial),
        ),
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
    throw new CommandError(`Unknown choice: ${word}. Available: ${available.join(', ') || 'none'}.`)
  })
}

function listQuestion(question, available, initial) {
  const list = available.map((id, index) => `  ${index + 1} ${id}`).join('\n')
  const shown = initial.length === available.length ? 'all' : initial.join(', ') || 'none'
  return `\n${question}\n${list}\nNames or numbers, all, or none (${shown}): `
}

async function promptUntilValid(prompt, question, parse) {
  for (;;) {
    try {
      return parse(await prompt(question))
    } catch (error) {
      if (!(error instanceof CommandError) || error instanceof PromptClosed) throw error
      process.stdout.write(`${error.message}\n`)
    }
  }
}

class PromptClosed extends CommandError {}
