import postgres from 'postgres'

export function databaseUrl(name: string): string {
  const url = new URL(process.env.TEST_DATABASE_URL ?? '')
  url.pathname = `/${name}`
  return url.href
}

/** For statements such as `create database`, outside the database of a test. */
export async function administer(statement: string): Promise<void> {
  const client = postgres(process.env.TEST_DATABASE_URL ?? '', { max: 1, onnotice: () => {} })
  try {
    await client.unsafe(statement)
  } finally {
    await client.end()
  }
}
