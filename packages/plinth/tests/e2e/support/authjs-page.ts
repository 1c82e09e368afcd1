import { resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { build } from 'esbuild'

type Client = typeof import('next-auth/react')

/** Opens a page with the unmodified Auth.js client, on the server's origin and with its policy. */
export async function openAuthJsPage(page: Page, origin: string): Promise<void> {
  const script = await bundledClient()
  await page.route('**/authjs-client.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  )
  await page.route('**/authjs-client', async (route) => {
    const response = await route.fetch({ url: `${origin}/nowhere` })
    const policy = response.headers()['content-security-policy'] ?? ''
    await route.fulfill({
      contentType: 'text/html',
      headers: { 'content-security-policy': policy },
      body: '<!doctype html><title>Client</title><script src="/authjs-client.js"></script>',
    })
  })
  await page.goto(`${origin}/authjs-client`)
}

export async function callAuthJs<Name extends 'getSession' | 'getCsrfToken' | 'getProviders'>(
  page: Page,
  name: Name,
): Promise<Awaited<ReturnType<Client[Name]>>> {
  return page.evaluate((called) => {
    const client = Reflect.get(window, 'authJs') as Record<string, () => Promise<never>>
    return client[called]?.() as Promise<never>
  }, name)
}

/** Undefined if the call navigated away from the page. */
export async function callWithArguments(
  page: Page,
  name: 'signIn' | 'signOut',
  args: unknown[],
): Promise<Record<string, unknown> | undefined> {
  const result = page.evaluate(
    ([called, values]) => {
      const client = Reflect.get(window, 'authJs') as Record<
        string,
        (...values: unknown[]) => Promise<Record<string, unknown> | undefined>
      >
      return client[called]?.(...values)
    },
    [name, args] as const,
  )
  return result.catch((error: Error) => {
    if (!error.message.includes('because of a navigation')) throw error
    return undefined
  })
}

let bundled: Promise<string> | undefined

function bundledClient(): Promise<string> {
  bundled ??= bundle()
  return bundled
}

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import * as client from 'next-auth/react'; window.authJs = client`,
      resolveDir: resolve('.'),
    },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    define: { 'process.env.NODE_ENV': '"production"', 'process.env': '{}' },
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}
