/** Ordered: a browser's user agent also contains the names of those below it. */
const browsers = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrom(e|ium)\/|\bHeadlessChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const

const systems = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const

const unknown = 'Unknown device'

/** “Firefox on Linux”, or the start of the user agent if it is not a browser. */
export function deviceOf(userAgent: string | undefined): string {
  const text = userAgent?.replaceAll(/[^\x20-\x7e]/g, '').trim() ?? ''
  const browser = nameIn(browsers, text)
  const system = nameIn(systems, text)
  if (browser) return system ? `${browser} on ${system}` : browser
  if (text.startsWith('Mozilla/')) return system ? `Browser on ${system}` : unknown
  return shortened(text) || unknown
}

function nameIn(
  patterns: readonly (readonly [RegExp, string])[],
  text: string,
): string | undefined {
  return patterns.find(([pattern]) => pattern.test(text))?.[1]
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39).trimEnd()}…` : text
}
