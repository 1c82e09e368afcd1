const secretName =
  /pass(word|wd|phrase)|^pwd$|secret|token|cookie|authorization|credential|api.?key|^otp$|verifier|hash$|_url$|^(code|state)$/i

/** Fields are recognized by name, at any depth, so that a careless log call leaks nothing. */
export function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  return redact(fields, new Set()) as Record<string, unknown>
}

function redact(value: unknown, ancestors: Set<object>): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Error || 'toJSON' in value) return value
  if (ancestors.has(value)) return '[circular]'
  ancestors.add(value)
  const copy = Array.isArray(value)
    ? value.map((item) => redact(item, ancestors))
    : Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          name,
          secretName.test(name) ? '[redacted]' : redact(inner, ancestors),
        ]),
      )
  ancestors.delete(value)
  return copy
}
