/** An expected failure. It is printed as `details`, then the message; no stack trace. */
export class CommandError extends Error {
  constructor(message, details = [], facts = {}) {
    super(message)
    this.details = details
    /** Added to the output of --json. */
    this.facts = facts
  }
}
