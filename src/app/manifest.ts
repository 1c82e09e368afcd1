import type { MetadataRoute } from 'next'
import { config } from '@/plinth.config'
import { themeColors } from './theme-colors'

/** `node_modules/plinth/scripts/draw-icons.mjs` draws the icons. */
export default function manifest(): MetadataRoute.Manifest {
  return {
    id: '/',
    name: config.name,
    short_name: config.name,
    start_url: '/',
    display: 'standalone',
    theme_color: themeColors.light,
    background_color: themeColors.light,
    icons: [
      { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  }
}
