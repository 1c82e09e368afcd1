import 'server-only'

/** The pattern of `like` for text that contains this. */
export function containing(text: string): string {
  return `%${text.replace(/[%_\\]/g, '\\$&')}%`
}
