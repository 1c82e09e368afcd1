const cleanups: (() => void)[] = []

/** Runs after the tests of the file, also when it is called by one of them. */
export function afterFile(cleanup: () => void): void {
  cleanups.push(cleanup)
}

/** Called by shared-process.ts. */
export function cleanUpAfterFile(): void {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup()
}
