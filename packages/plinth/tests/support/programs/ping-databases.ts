import { openPostgres } from '#db/postgres/postgres'

const timeoutMs = Number(process.env.DATABASE_TIMEOUT_MS ?? 2_000)

/** Prints one line for each URL: `ok`, or the code of the error. */
for (const url of process.argv.slice(2)) {
  const connection = openPostgres({ url, poolSize: 1, timeoutMs })
  const result = await connection.ping().then(
    () => 'ok',
    ({ code }: { code: string }) => code,
  )
  process.stdout.write(`${result}\n`)
  await connection.close()
}
