import type { NextConfig } from 'next'
import { PHASE_DEVELOPMENT_SERVER } from 'next/constants'

export default function configure(phase: string): NextConfig {
  const development = phase === PHASE_DEVELOPMENT_SERVER
  return {
    // Files named *.dev.ts(x) exist in development only.
    pageExtensions: development ? ['dev.tsx', 'dev.ts', 'tsx', 'ts'] : ['tsx', 'ts'],
    serverExternalPackages: [
      '@electric-sql/pglite',
      '@node-rs/argon2',
      '@react-email/components',
      'nodemailer',
      'pino',
      'pino-pretty',
    ],
    poweredByHeader: false,
    reactStrictMode: true,
    // For forbidden(), which responds with 403.
    experimental: {
      authInterrupts: true,
      // In seconds, the least that Next allows: how long the router uses a prefetched page.
      staleTimes: { dynamic: 0, static: 30 },
    },
    images: { unoptimized: true },
    // Core's start page is served at `/` until a module has a page there.
    rewrites: async () => ({ afterFiles: [{ source: '/', destination: '/start' }] }),
  }
}
