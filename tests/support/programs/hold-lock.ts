import { takeLock } from '@/core/db/lock'

/** Waits for the word, tries the lock, says what came of it and stays alive until it is ended. */
process.stdout.write('waiting\n')
process.stdin.once('data', () => {
  try {
    takeLock(process.argv[2] ?? '')
    process.stdout.write('holds\n')
  } catch (error) {
    process.stdout.write(`refused: ${error instanceof Error ? error.message : error}\n`)
  }
})
