import type { MetadataRoute } from 'next'
import { env } from 'plinth/config/env'
import { privatePaths } from 'plinth/modules/public-pages'
import { modules } from '@/modules'

// The build does not know AUTH_URL.
export const dynamic = 'force-dynamic'

export default function robots(): MetadataRoute.Robots {
  return {
    rules: { userAgent: '*', allow: '/api/docs', disallow: privatePaths(modules) },
    sitemap: `${env().AUTH_URL}/sitemap.xml`,
  }
}
