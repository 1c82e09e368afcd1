import { takeLock } from '#db/embedded/lock'

/** Waits for input, takes the lock, prints the result and runs until it is killed. */
process.stdout.write('waiting\n')
process.stdin.once('data', () => {
  try {
    takeLock(process.argv[2] ?? '')
    process.stdout.write('locked\n')
  } catch (error) {
    process.stdout.write(`rejected: ${error instanceof Error ? error.message : error}\n`)
  }
})
