/** Whether this host is the machine itself, as a setting or a URL spells it. */
export function isLoopback(host: string): boolean {
  return /^(localhost|\[?::1\]?|127(\.\d{1,3}){3})$/.test(host)
}
