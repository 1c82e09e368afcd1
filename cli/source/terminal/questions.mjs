import { createInterface } from 'node:readline/promises'
import { Stop } from '../stop.mjs'

/** Asks in plain lines, which every terminal and every screen reader can show. */
export async function withQuestions(work) {
  const reader = createInterface({ input: process.stdin, output: process.stdout })
  // Ctrl-C and Ctrl-D at a question: nothing has been written yet.
  const closed = new Promise((_, reject) => {
    reader.once('close', () => reject(new Stop('\nNothing was created.')))
  })
  closed.catch(() => {})
  const ask = (question) => Promise.race([reader.question(question), closed])
  try {
    return await work({
      text: (question, usual) =>
        askUntil(ask, `${question} (${usual}): `, (line) => line.trim() || usual),
      some: (question, known, usual) =>
        askUntil(ask, someOf(question, known, usual), (line) => choose(line, known, usual)),
    })
  } finally {
    reader.close()
  }
}

export function canAsk() {
  return Boolean(process.stdin.isTTY && process.stdout.isTTY)
}

/** The chosen ones of a list: all, none, names or their numbers, separated by commas or spaces. */
export function choose(line, known, usual = known) {
  const words = line
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
  if (words.length === 0) return usual
  if (words.length === 1 && words[0] === 'all') return known
  if (words.length === 1 && words[0] === 'none') return []
  return words.map((word) => {
    const found = known[Number(word) - 1] ?? known.find((id) => id === word)
    if (found) return found
    throw new Stop(`There is no ${word}. There are: ${known.join(', ') || 'none'}.`)
  })
}

function someOf(question, known, usual) {
  const list = known.map((id, index) => `  ${index + 1} ${id}`).join('\n')
  const said = usual.length === known.length ? 'all' : usual.join(', ') || 'none'
  return `\n${question}\n${list}\nNames or numbers, all, or none (${said}): `
}

async function askUntil(ask, question, read) {
  for (;;) {
    try {
      return read(await ask(question))
    } catch (error) {
      if (!(error instanceof Stop) || error.message.startsWith('\n')) throw error
      process.stdout.write(`${error.message}\n`)
    }
  }
}
