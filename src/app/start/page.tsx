import type { Metadata } from 'next'
import { publicPage } from 'plinth/guard/page'
import type { NavigationItem } from 'plinth/universal/navigation'
import type { ReactNode } from 'react'
import { StaticPageLayout } from '@/app/static-page-layout'
import { config } from '@/plinth.config'
import { ButtonLink } from '@/ui/button'

export const metadata: Metadata = { title: { absolute: `${config.name} is running` } }

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
            {config.name} is running. <span className="block text-muted">The rest is yours.</span>
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
        <PedestalDrawing />
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
        <StartTerm term={<Code>src/ui</Code>}>Components and styles.</StartTerm>
        <StartTerm term="The engine">
          Server, database, authentication and HTTP API, in <Code>node_modules/plinth</Code>. Its
          folder <Code>docs</Code> has the guides to modules, deployment and upgrades.
        </StartTerm>
      </StartSection>

      <StartSection id="changes" title="First changes">
        <StartTerm term="Text">
          Run <Code>npm run dev</Code> and edit <Code>src/app/start/page.tsx</Code>. This page
          updates when you save.
        </StartTerm>
        <StartTerm term="Name and logo">
          The name is in <Code>src/plinth.config.ts</Code>, the logo in{' '}
          <Code>src/ui/brand.tsx</Code>.
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

interface StartSectionProps {
  id: string
  title: string
  children: ReactNode
}

function StartSection({ id, title, children }: StartSectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid gap-x-12 gap-y-6 border-t border-line py-10 sm:py-14 lg:grid-cols-[16rem_1fr]"
    >
      <h2 id={`${id}-title`} className="text-xl">
        {title}
      </h2>
      <dl className="grid gap-y-6">{children}</dl>
    </section>
  )
}

function StartTerm({ term, children }: { term: ReactNode; children: ReactNode }) {
  return (
    <div className="grid gap-x-8 gap-y-1 sm:grid-cols-[10rem_1fr]">
      <dt className="font-medium">{term}</dt>
      <dd className="max-w-prose text-muted">{children}</dd>
    </div>
  )
}

function PedestalDrawing() {
  return (
    <svg
      viewBox="0 0 320 300"
      fill="none"
      strokeWidth="1.5"
      className="hidden w-80 self-end lg:block"
      aria-hidden="true"
    >
      <path
        className="stroke-accent"
        strokeDasharray="5 5"
        d="M104 139V76a56 56 0 0 1 112 0v63M104 139h112"
      />
      <path
        className="fill-surface stroke-ink"
        d="M60 140h200v22H60zM72 162h176v12H72zM84 174h152v82H84zM72 256h176v12H72zM52 268h216v24H52z"
      />
      <path className="stroke-edge" d="M100 190h120v50H100z" />
      <path className="stroke-line" d="M0 292h320" />
      <path className="stroke-edge" d="M20 140h12M26 140v152M20 292h12" />
    </svg>
  )
}
