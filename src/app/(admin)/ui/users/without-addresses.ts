/** The text of the field without the addresses that were invited. */
export function withoutAddresses(text: string, sent: readonly string[]): string {
  const invited = new Set(sent)
  return text
    .split(/[\s,;]+/)
    .filter((part) => part !== '' && !invited.has(part.normalize('NFKC').toLowerCase()))
    .join('\n')
}
