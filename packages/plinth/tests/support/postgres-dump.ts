import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { findPostgres } from '../../scripts/services/programs.mjs'

const execute = promisify(execFile)
const bin = findPostgres() ?? ''

/** As docs/deploying.md describes it. */
export async function dump(url: string, file: string): Promise<void> {
  await execute(join(bin, 'pg_dump'), ['--format=custom', `--file=${file}`, url])
}

export async function restoreDump(url: string, file: string): Promise<void> {
  const options = ['--exit-on-error', '--single-transaction', '--no-owner']
  await execute(join(bin, 'pg_restore'), [...options, `--dbname=${url}`, file])
}

/** The rows of a statement. */
export async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = postgres(url, { max: 1, onnotice: () => {} })
  try {
    return [...(await client.unsafe(statement))]
  } finally {
    await client.end()
  }
}
