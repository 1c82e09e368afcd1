import 'server-only'
import {
  Body,
  Button,
  Container,
  Head,
  Heading,
  Html,
  Link,
  Preview,
  render,
  Section,
  Text,
  toPlainText,
} from '@react-email/components'
import type { Message } from 'plinth/mail/deliver'
import type { ReactElement, ReactNode } from 'react'
import { config } from '@/plinth.config'

export async function renderMessage(
  to: string,
  subject: string,
  body: ReactElement,
): Promise<Message> {
  const html = await render(body)
  return { to, subject, html, text: toPlainText(html) }
}

interface MessageLayoutProps {
  /** Shown next to the subject in a list of messages. */
  preview: string
  title: string
  children: ReactNode
}

/** The layout of every message, with the colors of src/app/globals.css, light and dark. */
export function MessageLayout({ preview, title, children }: MessageLayoutProps) {
  return (
    <Html lang="en">
      <Head>
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <style>{dark}</style>
      </Head>
      <Preview>{preview}</Preview>
      <Body className="canvas" style={canvas}>
        <Container className="canvas" style={page}>
          <Text className="ink" style={brand}>
            {config.name}
          </Text>
          <Section className="surface" style={card}>
            <Heading as="h1" className="ink" style={heading}>
              {title}
            </Heading>
            {children}
          </Section>
        </Container>
      </Body>
    </Html>
  )
}

export function Paragraph({ children }: { children: ReactNode }) {
  return (
    <Text className="ink" style={paragraph}>
      {children}
    </Text>
  )
}

export function SmallPrint({ children }: { children: ReactNode }) {
  return (
    <Text className="muted" style={smallPrint}>
      {children}
    </Text>
  )
}

/** A button, and its full URL for mail clients without buttons. */
export function LinkButton({ href, children }: { href: string; children: string }) {
  return (
    <>
      <Button href={href} className="button" style={button}>
        {children}
      </Button>
      <Text className="muted" style={smallPrint} data-skip-in-text="true">
        Or copy this URL into your browser:{' '}
        <Link href={href} className="link" style={link}>
          {href}
        </Link>
      </Text>
    </>
  )
}

const fontFamily = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'

const canvas = { margin: 0, backgroundColor: '#faf9f6', fontFamily }
const page = { maxWidth: '480px', padding: '32px 16px 48px' }
const brand = { margin: '0 0 16px', fontSize: '16px', fontWeight: 600, color: '#1d1c19' }
const card = {
  border: '1px solid #e0dcd3',
  borderRadius: '10px',
  backgroundColor: '#ffffff',
  padding: '28px 28px 24px',
}
const heading = { margin: '0 0 16px', fontSize: '22px', lineHeight: '30px', color: '#1d1c19' }
const paragraph = { margin: '0 0 20px', fontSize: '16px', lineHeight: '26px', color: '#1d1c19' }
const smallPrint = { margin: '20px 0 0', fontSize: '13px', lineHeight: '20px', color: '#5d594f' }
const button = {
  borderRadius: '6px',
  backgroundColor: '#0d645a',
  padding: '12px 20px',
  fontSize: '15px',
  fontWeight: 500,
  color: '#ffffff',
}
const link = { color: '#0d645a', wordBreak: 'break-all' as const }

const dark = `@media (prefers-color-scheme: dark) {
  .canvas { background-color: #151412 !important }
  .surface { background-color: #1d1c19 !important; border-color: #35322c !important }
  .ink { color: #f0ede6 !important }
  .muted { color: #aba598 !important }
  .link { color: #74c7b6 !important }
  .button { background-color: #74c7b6 !important; color: #08201b !important }
}`
