/**
 * Draws src/app/icon.svg as the images in public: icons for phones and the image of shared links. Run it
 * after you have changed the icon: `node node_modules/plinth/scripts/draw-icons.mjs`. It needs Chromium.
 */
import { readFileSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { inRoot } from './paths.mjs'
import { findChromium } from './services/programs.mjs'

const images = [
  // Systems cut these to their own shape, so the color of the icon fills them.
  { file: 'apple-touch-icon.png', width: 180, filled: true },
  { file: 'icon-maskable-512.png', width: 512, filled: true },
  { file: 'icon-192.png', width: 192 },
  { file: 'icon-512.png', width: 512 },
  // Without text, so that it is right for every name.
  { file: 'opengraph-image.png', width: 1200, height: 630, filled: true },
]

const svg = readFileSync(inRoot('src', 'app', 'icon.svg'), 'utf8')
const [, color] = /fill="(#\w+)"/.exec(svg) ?? []
const source = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`

const browser = await chromium.launch({ executablePath: findChromium() })
const page = await browser.newPage()
for (const { file, width, height = width, filled = false } of images) {
  await page.setViewportSize({ width, height })
  await page.setContent(
    `<body style="margin:0;background:${filled ? color : 'transparent'}">
    <img src="${source}" style="display:block;margin:auto;height:100vh">`,
  )
  await page.locator('img').evaluate((image) => image.decode())
  await page.screenshot({ path: inRoot('public', file), omitBackground: true })
}
await browser.close()
