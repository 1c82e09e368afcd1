/** Each names itself before those that it says it is compatible with. */
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

/** In plain words, such as “Firefox on Linux”. What is no browser is shown as it calls itself. */
export function deviceOf(userAgent: string | undefined): string {
  const text = userAgent?.replaceAll(/[^\x20-\x7e]/g, '').trim() ?? ''
  const browser = nameIn(browsers, text)
  const system = nameIn(systems, text)
  if (browser) return system ? `${browser} on ${system}` : browser
  if (text.startsWith('Mozilla/')) return system ? `A browser on ${system}` : unknown
  return shortened(text) || unknown
}

function nameIn(known: readonly (readonly [RegExp, string])[], text: string): string | undefined {
  return known.find(([pattern]) => pattern.test(text))?.[1]
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39).trimEnd()}…` : text
}
