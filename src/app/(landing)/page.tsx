import type { Metadata } from 'next'
import { publicPage } from '@/core/guard/page'
import { StaticPageShell } from '@/core/shell/static-page-shell'
import type { NavigationItem } from '@/core/ui/navigation'
import { landing } from './content'
import { Claims } from './ui/claims'
import { Commands } from './ui/commands'
import { Hero } from './ui/hero'
import { Layers } from './ui/layers'
import { Roles } from './ui/roles'

export const metadata: Metadata = {
  title: { absolute: `Plinth: ${landing.headline.toLowerCase()}` },
  description: landing.lead,
}

const navigation: NavigationItem[] = [
  { href: '#layers', label: 'How it stands' },
  { href: '#claims', label: 'What holds' },
  { href: '#try', label: 'Try it' },
  { href: '/api/docs', label: 'Interface' },
]

export default publicPage({ path: '/' }, () => (
  <StaticPageShell navigation={navigation}>
    <Hero headline={landing.headline} lead={landing.lead} />
    <Layers layers={landing.layers} />
    <Claims claims={landing.claims} />
    <Roles roles={landing.roles} />
    <Commands commands={landing.commands} />
  </StaticPageShell>
))
