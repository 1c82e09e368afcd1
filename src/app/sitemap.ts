import type { MetadataRoute } from 'next'
import { env } from 'plinth/config/env'
import { publicPages } from 'plinth/modules/public-pages'
import { modules } from '@/modules'

// The build does not know AUTH_URL, and modules list what is in the database.
export const dynamic = 'force-dynamic'

export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  const { AUTH_URL } = env()
  const pages = await publicPages(modules)
  return pages.map(({ path, updatedAt }) => ({
    url: new URL(path, AUTH_URL).href,
    ...(updatedAt ? { lastModified: updatedAt } : {}),
  }))
}
