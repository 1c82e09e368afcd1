import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { NextConfig } from 'next'
import { PHASE_DEVELOPMENT_SERVER, PHASE_PRODUCTION_BUILD } from 'next/constants'

export default function configure(phase: string): NextConfig {
  const development = phase === PHASE_DEVELOPMENT_SERVER
  if (phase === PHASE_PRODUCTION_BUILD) keepActionIds()
  return {
    ...(development ? {} : identifyBuild(phase)),
    // Files named *.dev.ts(x) exist in development only.
    pageExtensions: development ? ['dev.tsx', 'dev.ts', 'tsx', 'ts'] : ['tsx', 'ts'],
    // The server, pages and actions share one copy of each.
    serverExternalPackages: ['plinth', 'drizzle-orm', 'hono', 'zod'],
    // `npm test` checks them, and then builds.
    typescript: { ignoreBuildErrors: process.env.TYPES_CHECKED === 'true' },
    poweredByHeader: false,
    reactStrictMode: true,
    // For forbidden(), which responds with 403.
    experimental: {
      authInterrupts: true,
      // In seconds, the least that Next allows: how long the router uses a prefetched page.
      staleTimes: { dynamic: 0, static: 30 },
    },
    images: { unoptimized: true },
    // The engine's start page is served at `/` until a module has a page there.
    rewrites: async () => ({ afterFiles: [{ source: '/', destination: '/start' }] }),
  }
}

/**
 * Next salts the ids of server actions with this key, so it must be the same for every build of the
 * app. It need not be secret: it encrypts variables that actions capture, and ours capture none.
 */
function keepActionIds(): void {
  const { name } = JSON.parse(readFileSync('package.json', 'utf8'))
  process.env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY ||= createHash('sha256')
    .update(name)
    .digest('base64')
}

/** The router loads a page of another build as a whole, instead of a part of it. */
function identifyBuild(phase: string): NextConfig {
  return {
    deploymentId: phase === PHASE_PRODUCTION_BUILD ? newId() : builtId(),
    generateBuildId: newId,
    // Files are named by their content, so they need no id in their URL.
    supportsImmutableAssets: true,
  }
}

/** The other processes of the build read this file too, and inherit the id. */
function newId(): string {
  process.env.DEPLOYMENT_ID ||= randomUUID()
  return process.env.DEPLOYMENT_ID
}

function builtId(): string {
  return readFileSync('.next/BUILD_ID', 'utf8')
}
