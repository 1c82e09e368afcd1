import type { Metadata } from 'next'
import { publicPage } from 'plinth/guard/page'
import type { NavigationItem } from 'plinth/universal/navigation'
import { StaticPageLayout } from '@/app/static-page-layout'
import { config } from '@/plinth.config'
import { landing } from './content'
import { Features } from './ui/features'
import { Hero } from './ui/hero'

export const metadata: Metadata = {
  title: { absolute: config.name },
  description: landing.lead,
}

const navigation: NavigationItem[] = [
  { href: '#features', label: 'Features' },
  { href: '/api/docs', label: 'API' },
]

export default publicPage({ path: '/' }, () => (
  <StaticPageLayout navigation={navigation}>
    <Hero headline={landing.headline} lead={landing.lead} />
    <Features features={landing.features} />
  </StaticPageLayout>
))
