import localFont from 'next/font/local'

/** `scripts/subset-fonts.mjs` makes the files. */
export const sans = localFont({
  src: './fonts/geist-sans.woff2',
  variable: '--font-geist-sans',
  weight: '400 700',
})

/** Most pages have no code, so the browser loads it only when it is used. */
export const mono = localFont({
  src: './fonts/geist-mono.woff2',
  variable: '--font-geist-mono',
  weight: '400 700',
  preload: false,
  adjustFontFallback: false,
})
