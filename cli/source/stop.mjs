/** An expected failure: its message is what to read, `details` what stands above it. */
export class Stop extends Error {
  constructor(message, details = [], facts = {}) {
    super(message)
    this.details = details
    /** What a script may want to know of it, with --json. */
    this.facts = facts
  }
}
