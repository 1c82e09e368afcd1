/** Text of a field with such a name is neither kept in the browser nor sent back. */
export function isSecretName(name: string): boolean {
  return /passw|passphrase|secret|token|api_?key|otp/i.test(name) || /^(pin|code|cvc)$/i.test(name)
}
