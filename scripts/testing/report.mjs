import { readFile } from 'node:fs/promises'

/** Undefined when the runner ended before it wrote one. */
export async function readReport(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}
