import type { Metadata } from 'next'
import { publicPage } from '@/core/guard/page'
import { productName } from '@/core/name'
import { StaticPageShell } from '@/core/shell/static-page-shell'
import { ButtonLink } from '@/core/ui/button'
import type { NavigationItem } from '@/core/ui/navigation'
import { PlinthDrawing } from './plinth-drawing'
import { StartSection, StartTerm } from './start-section'

export const metadata: Metadata = { title: { absolute: `${productName} is running` } }

const navigation: NavigationItem[] = [
  { href: '#running', label: 'What runs' },
  { href: '#places', label: 'Where things are' },
  { href: '#changes', label: 'What to change first' },
]

export default publicPage({ path: '/start' }, () => (
  <StaticPageShell navigation={navigation}>
    <div className="mx-auto max-w-6xl px-5 sm:px-8">
      <div className="flex justify-between gap-12 py-14 sm:py-20">
        <div>
          <h1 className="text-3xl">
            {productName} is running. <span className="block text-muted">The rest is yours.</span>
          </h1>
          <p className="mt-5 max-w-xl text-lg text-muted">
            Pages, an HTTP interface and a database in one process. This page shows until you put
            one of your own at <Code>/</Code>.
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            <ButtonLink href="/api/health">Check its health</ButtonLink>
            <ButtonLink href="#changes" variant="secondary">
              Make the first change
            </ButtonLink>
          </div>
        </div>
        <PlinthDrawing />
      </div>

      <StartSection id="running" title="What runs">
        <StartTerm term="Pages">
          Next.js serves them from <Code>src/app</Code>, this one included.
        </StartTerm>
        <StartTerm term="HTTP interface">
          Everything under <Code>/api</Code>. <Link href="/api/health">/api/health</Link> asks the
          database, <Link href="/api/health/live">/api/health/live</Link> only the process.
        </StartTerm>
        <StartTerm term="Database">
          PostgreSQL, embedded in <Code>.data</Code> until you set <Code>DATABASE_URL</Code>.
        </StartTerm>
        <StartTerm term="Accounts">
          The embedded database comes with one for each role: <Code>viewer@example.com</Code>,{' '}
          <Code>editor@example.com</Code> and <Code>admin@example.com</Code>. Their password is in
          the terminal that started this, and <Link href="/sign-in">/sign-in</Link> takes it.
        </StartTerm>
      </StartSection>

      <StartSection id="places" title="Where things are">
        <StartTerm term={<Code>src/app</Code>}>
          Pages and layouts. A folder is an address.
        </StartTerm>
        <StartTerm term={<Code>src/core</Code>}>
          What every page stands on: settings, database, interface, components.
        </StartTerm>
        <StartTerm term={<Code>docs</Code>}>How it works, and why it was decided so.</StartTerm>
      </StartSection>

      <StartSection id="changes" title="What to change first">
        <StartTerm term="The words">
          Run <Code>npm run dev</Code>, open <Code>src/app/start/page.tsx</Code>, and watch this
          page follow as you save.
        </StartTerm>
        <StartTerm term="The name">
          It is in <Code>src/core/ui/brand.tsx</Code> with the mark, and in{' '}
          <Code>src/app/layout.tsx</Code> for the browser tab.
        </StartTerm>
        <StartTerm term="The colours">
          One accent and a handful of neutrals, light and dark, at the top of{' '}
          <Code>src/app/globals.css</Code>. In development, <Code>/dev/ui</Code> shows every
          component in them.
        </StartTerm>
      </StartSection>
    </div>
  </StaticPageShell>
))

function Code({ children }: { children: string }) {
  return <code className="font-mono text-[0.9em] text-ink">{children}</code>
}

function Link({ href, children }: { href: string; children: string }) {
  return (
    <a
      href={href}
      className="font-mono text-[0.9em] text-accent underline decoration-1 underline-offset-4 hover:text-accent-strong"
    >
      {children}
    </a>
  )
}
