import { readFile } from 'node:fs/promises'

/** Undefined if the runner exited before it wrote a report. */
export async function readReport(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}
