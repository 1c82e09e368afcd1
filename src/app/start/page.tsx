import type { Metadata } from 'next'
import { productName } from '@/core/config/product-name'
import { publicPage } from '@/core/guard/page'
import { StaticPageLayout } from '@/core/layout/static-page-layout'
import { ButtonLink } from '@/core/ui/button'
import type { NavigationItem } from '@/core/ui/shell'
import { PlinthDrawing } from './plinth-drawing'
import { StartSection, StartTerm } from './start-section'

export const metadata: Metadata = { title: { absolute: `${productName} is running` } }

const navigation: NavigationItem[] = [
  { href: '#running', label: 'What is running' },
  { href: '#layout', label: 'Project layout' },
  { href: '#changes', label: 'First changes' },
]

export default publicPage({ path: '/start' }, () => (
  <StaticPageLayout navigation={navigation}>
    <div className="mx-auto max-w-6xl px-5 sm:px-8">
      <div className="flex justify-between gap-12 py-14 sm:py-20">
        <div>
          <h1 className="text-3xl">
            {productName} is running. <span className="block text-muted">The rest is yours.</span>
          </h1>
          <p className="mt-5 max-w-xl text-lg text-muted">
            Pages, an HTTP API and a database in one process. This page is shown until you add your
            own at <Code>/</Code>.
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            <ButtonLink href="/api/health">Check health</ButtonLink>
            <ButtonLink href="#changes" variant="secondary">
              Make your first change
            </ButtonLink>
          </div>
        </div>
        <PlinthDrawing />
      </div>

      <StartSection id="running" title="What is running">
        <StartTerm term="Pages">
          Next.js serves the pages in <Code>src/app</Code>, including this one.
        </StartTerm>
        <StartTerm term="HTTP API">
          Everything under <Code>/api</Code>. <Link href="/api/health">/api/health</Link> checks the
          database, <Link href="/api/health/live">/api/health/live</Link> only the process.
        </StartTerm>
        <StartTerm term="Database">
          PostgreSQL, embedded in <Code>.data</Code> until you set <Code>DATABASE_URL</Code>.
        </StartTerm>
        <StartTerm term="Accounts">
          The embedded database has one demo account per role: <Code>viewer@example.com</Code>,{' '}
          <Code>editor@example.com</Code> and <Code>admin@example.com</Code>. The password is
          printed in the terminal at startup. Sign in at <Link href="/sign-in">/sign-in</Link>.
        </StartTerm>
      </StartSection>

      <StartSection id="layout" title="Project layout">
        <StartTerm term={<Code>src/app</Code>}>
          Pages and layouts. Folder names are URL paths; folders in parentheses are modules.
        </StartTerm>
        <StartTerm term={<Code>src/core</Code>}>
          Settings, database, authentication, HTTP API and components.
        </StartTerm>
        <StartTerm term={<Code>docs</Code>}>
          Guides, and the reasons for design decisions.
        </StartTerm>
      </StartSection>

      <StartSection id="changes" title="First changes">
        <StartTerm term="Text">
          Run <Code>npm run dev</Code> and edit <Code>src/app/start/page.tsx</Code>. This page
          updates when you save.
        </StartTerm>
        <StartTerm term="Name and logo">
          The name is in <Code>src/core/config/product-name.ts</Code>, the logo in{' '}
          <Code>src/core/ui/shell.tsx</Code>.
        </StartTerm>
        <StartTerm term="Colors">
          The light and dark colors are at the top of <Code>src/app/globals.css</Code>. In
          development, <Code>/dev/ui</Code> shows every component.
        </StartTerm>
      </StartSection>
    </div>
  </StaticPageLayout>
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
