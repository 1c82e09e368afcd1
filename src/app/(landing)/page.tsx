import type { Metadata } from 'next'
import { productName } from '@/core/config/product-name'
import { publicPage } from '@/core/guard/page'
import { StaticPageLayout } from '@/core/layout/static-page-layout'
import type { NavigationItem } from '@/core/ui/shell'
import { landing } from './content'
import { Features } from './ui/features'
import { Hero } from './ui/hero'

export const metadata: Metadata = {
  title: { absolute: productName },
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
