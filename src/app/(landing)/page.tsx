import type { Metadata } from 'next'
import { productName } from '@/core/config/product-name'
import { publicPage } from '@/core/guard/page'
import { StaticPageLayout } from '@/core/layout/static-page-layout'
import type { NavigationItem } from '@/core/ui/shell'
import { landing } from './content'
import { Commands } from './ui/commands'
import { Guarantees } from './ui/guarantees'
import { Hero } from './ui/hero'
import { Layers } from './ui/layers'
import { Roles } from './ui/roles'

export const metadata: Metadata = {
  title: { absolute: `${productName}: ${landing.headline.toLowerCase()}` },
  description: landing.lead,
}

const navigation: NavigationItem[] = [
  { href: '#layers', label: 'Layers' },
  { href: '#guarantees', label: 'Guarantees' },
  { href: '#try', label: 'Try it' },
  { href: '/api/docs', label: 'API' },
]

export default publicPage({ path: '/' }, () => (
  <StaticPageLayout navigation={navigation}>
    <Hero headline={landing.headline} lead={landing.lead} />
    <Layers layers={landing.layers} />
    <Guarantees guarantees={landing.guarantees} />
    <Roles roles={landing.roles} />
    <Commands commands={landing.commands} />
  </StaticPageLayout>
))
