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
    experimental: { authInterrupts: true },
    images: { unoptimized: true },
    // Core's start page is served at `/` until a module has a page there.
    rewrites: async () => ({ afterFiles: [{ source: '/', destination: '/start' }] }),
  }
}
