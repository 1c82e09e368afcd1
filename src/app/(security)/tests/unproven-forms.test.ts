import type { ActionResult } from 'plinth/universal/action-result'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { AppForm } from '../ui/app-form'
import { CodesForm } from '../ui/codes-form'

const nothing = async (): Promise<ActionResult<unknown>> => ({ ok: true, data: undefined })

const confirmUrl = (page: string) =>
  `href="/confirm?change=add_factor&amp;callbackUrl=${encodeURIComponent(page)}"`

describe.each([
  [
    'new recovery codes',
    '/account/security/codes',
    'Create new codes',
    (isProven: boolean) => CodesForm({ create: nothing, isProven }),
  ],
  [
    'an authenticator app',
    '/account/security/app',
    'Add authenticator app',
    (isProven: boolean) =>
      AppForm({
        confirm: nothing,
        continueTo: '/account/security',
        page: '/account/security/app',
        isProven,
        children: isProven && 'the QR code',
      }),
  ],
])('the form for %s', (_, page, button, form) => {
  test('leads to the proof first', () => {
    const html = renderToStaticMarkup(form(false))
    expect(html).toContain(confirmUrl(page))
    expect(html).not.toContain(button)
  })

  test('is there once the change is proven', () => {
    const html = renderToStaticMarkup(form(true))
    expect(html).toContain(button)
    expect(html).not.toContain('/confirm')
  })
})
