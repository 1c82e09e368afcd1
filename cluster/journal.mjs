/**
 * The observations of the clients. A sample is a response: `ok`, `unavailable` (503 with Retry-After, which
 * is allowed while the database is being disturbed) or `wrong`. Times are those of `performance.now()`.
 */
export function createJournal() {
  const samples = []
  const writes = []
  const forms = []
  return {
    samples,
    writes,
    forms,
    /** @param {{ client: string, at: number, waitMs: number, status: number, outcome: string, detail?: string }} sample */
    addSample: (sample) => samples.push(sample),
    /** A change that a response has confirmed. @param {{ kind: string, at: number, key: string }} write */
    addWrite: (write) => writes.push(write),
    /** A form with the unique title that was typed. `kept`: the user still sees what was typed. */
    addForm: (form) => forms.push(form),
  }
}
